/** The columns of a NotificationView. */
export const NOTIFICATION_COLUMNS =
  'id, tenant_id AS "tenantId", kind, data, created_at AS "createdAt", read_at AS "readAt"';

/**
 * The notifications that an actor sees: $1 is the user, $2 the active tenant (null: none). Written
 * so that the planner prefers the index on the user, which returns a page in order, to the one on
 * the tenant.
 */
export const VISIBLE_TO_ACTOR = 'user_id = $1 AND coalesce(tenant_id, $2) IS NOT DISTINCT FROM $2';
