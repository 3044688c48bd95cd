import { isAdmin, type User } from './user';

/**
 * The public fields of an account (docs/contract.md, Account operations). `isAdmin` is the
 * effective access.
 */
export type UserProfile = Pick<
  User,
  'id' | 'email' | 'name' | 'isEmailVerified' | 'pictureUrl' | 'isAdmin' | 'createdAt'
>;

/**
 * @param user with `isAdmin` as stored in the account
 * @param isProven see isAdmin
 */
export function toUserProfile(user: UserProfile, adminEmails: ReadonlySet<string>, isProven?: boolean): UserProfile {
  const { id, email, name, isEmailVerified, pictureUrl, createdAt } = user;
  return { id, email, name, isEmailVerified, pictureUrl, isAdmin: isAdmin(user, adminEmails, isProven), createdAt };
}
