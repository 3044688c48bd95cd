import { columnsOf } from '../../platform/database/select-list';
import { Notification } from '../domain/notification';

/** The columns of a NotificationView, of a notification `n`. */
export const NOTIFICATION_COLUMNS = columnsOf(Notification, 'n', {
  only: ['id', 'tenantId', 'kind', 'data', 'createdAt', 'readAt'],
});

/**
 * The notifications that an actor sees: $1 is the user, $2 the active tenant (null: none). Written
 * so that the planner prefers the index on the user, which returns a page in order, to the one on
 * the tenant.
 */
export const VISIBLE_TO_ACTOR = 'user_id = $1 AND coalesce(tenant_id, $2) IS NOT DISTINCT FROM $2';
