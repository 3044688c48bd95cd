import type { LastSignIn } from '../../auth/auth.api';
import { PROFILE_FIELDS, type User } from '../../users/users.api';

/** The columns of an AdminUser. */
export const ADMIN_USER_COLUMNS = [...PROFILE_FIELDS, 'disabledAt'] as const;

/** An account as operators see it; `isAdmin` is the flag stored with the account. */
export type AdminUser = Pick<User, (typeof ADMIN_USER_COLUMNS)[number]>;

/** When and how a user signed in last. */
export interface LastSignInFields {
  readonly lastSignInAt: Date | null;
  readonly lastSignInMethod: LastSignIn['method'];
}
