import { isAdmin, PROFILE_FIELDS, type User } from './user';

/**
 * The public fields of an account (docs/contract.md, Account operations). `isAdmin` is the
 * effective access.
 */
export type UserProfile = Pick<User, (typeof PROFILE_FIELDS)[number]>;

/**
 * @param user with `isAdmin` as stored in the account
 * @param isProven see isAdmin
 */
export function toUserProfile(user: UserProfile, adminEmails: ReadonlySet<string>, isProven?: boolean): UserProfile {
  const shown = Object.fromEntries(PROFILE_FIELDS.map((field) => [field, user[field]])) as unknown as UserProfile;
  return { ...shown, isAdmin: isAdmin(user, adminEmails, isProven) };
}
