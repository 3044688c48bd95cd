import { Raw, type FindOptionsWhere } from 'typeorm';
import type { Actor } from '../../http/access/actor';
import type { ColumnOf } from '../../platform/database/entity-table';
import type { Notification } from '../domain/notification';

/** The columns of a NotificationView. */
export const NOTIFICATION_COLUMNS = [
  'id',
  'tenantId',
  'kind',
  'data',
  'createdAt',
  'readAt',
] as const satisfies readonly ColumnOf<Notification>[];

/**
 * The notifications that an actor sees: those of the active tenant and of no tenant. Written so
 * that the planner prefers the index on the user, which returns a page in order, to the one on the
 * tenant.
 */
export const visibleTo = ({ userId, tenantId }: Pick<Actor, 'userId' | 'tenantId'>) =>
  ({
    userId,
    tenantId: Raw((column) => `coalesce(${column}, :activeTenant) IS NOT DISTINCT FROM :activeTenant`, {
      activeTenant: tenantId,
    }),
  }) satisfies FindOptionsWhere<Notification>;
