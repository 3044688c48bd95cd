import { Injectable } from '@nestjs/common';
import type { Actor } from '../../http/access/actor';
import { Clock } from '../../platform/clock';
import { recordsOf } from '../../platform/database/entity-records';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { Notification, type NewNotification } from '../domain/notification';
import type { NotificationKind } from '../domain/notification-data';
import { VISIBLE_TO_ACTOR } from './notification.columns';

/**
 * The channel on which instances announce new notifications; the payload is the user's id.
 */
export const NOTIFICATIONS_CHANNEL = 'tenantry_notifications';

const NOTIFICATIONS = recordsOf(Notification, { except: ['position'] });

/**
 * A lock per user until the transaction ends gives the user's notifications positions in the order
 * in which they become visible, so that a stream that reads by position misses none. The locks are
 * taken in the order of user ids to prevent deadlocks.
 */
const ADD = `
  WITH given AS (
    SELECT ${NOTIFICATIONS.columns} FROM ${NOTIFICATIONS.rowsOf('$1')} ORDER BY user_id
  ), locked AS MATERIALIZED (
    SELECT given.*, pg_advisory_xact_lock(hashtextextended('notifications:' || user_id, 0)) FROM given
  ), added AS (
    INSERT INTO notifications (${NOTIFICATIONS.columns}, position)
    SELECT ${NOTIFICATIONS.columns}, nextval('notification_positions') FROM locked
  )
  SELECT pg_notify($2, user_id::text) FROM given`;

/**
 * Stores notifications. Open streams of the users, on any instance, are woken when the transaction
 * commits.
 */
@Injectable()
export class NotificationRepository {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Adds notifications with one statement in the running transaction, within the scope of their
   * tenant.
   */
  async add<K extends NotificationKind>(notifications: readonly NewNotification<K>[]): Promise<void> {
    if (notifications.length === 0) return;
    const now = this.clock.now();
    const rows = notifications.map((notification) => Notification.create(notification, now));
    await this.unitOfWork.write(ADD, [NOTIFICATIONS.parameter(rows), NOTIFICATIONS_CHANNEL]);
  }

  /**
   * Idempotent: a notification that was read before keeps its time.
   * @returns false if the user has no such notification in the active tenant
   */
  async markRead({ userId, tenantId }: Actor, id: string): Promise<boolean> {
    const sql = `UPDATE notifications SET read_at = coalesce(read_at, $4)
      WHERE ${VISIBLE_TO_ACTOR} AND id = $3 RETURNING id`;
    return (await this.unitOfWork.query(sql, [userId, tenantId, id, this.clock.now()])).length === 1;
  }

  async markAllRead({ userId, tenantId }: Actor): Promise<void> {
    const sql = `UPDATE notifications SET read_at = $3 WHERE ${VISIBLE_TO_ACTOR} AND read_at IS NULL`;
    await this.unitOfWork.query(sql, [userId, tenantId, this.clock.now()]);
  }
}
