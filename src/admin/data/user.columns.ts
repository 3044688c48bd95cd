/**
 * The columns of an AdminUserView, of a user `r`; `isAdmin` is the flag stored with the account.
 */
export const ADMIN_USER_COLUMNS = `r.id, r.email, r.name, r.is_email_verified AS "isEmailVerified",
  r.picture_url AS "pictureUrl", r.is_admin AS "isAdmin", r.created_at AS "createdAt", r.disabled_at AS "disabledAt"`;
