import { columnsOf } from '../../platform/database/select-list';
import { PROFILE_FIELDS, User } from '../../users/users.api';

const FIELDS = [...PROFILE_FIELDS, 'disabledAt'] as const;

/** An account as operators see it; `isAdmin` is the flag stored with the account. */
export type AdminUser = Pick<User, (typeof FIELDS)[number]>;

/** The columns of an AdminUser, of a user `r`. */
export const ADMIN_USER_COLUMNS = columnsOf(User, 'r', { only: FIELDS });
