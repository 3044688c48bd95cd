import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import type { Actor } from '../../http/access/actor';
import { Clock } from '../../platform/clock';
import { recordsOf } from '../../platform/database/entity-records';
import { EntityRepository } from '../../platform/database/entity-repository';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { Notification, type NewNotification } from '../domain/notification';
import type { NotificationKind } from '../domain/notification-data';
import { visibleTo } from './notification.columns';

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
export class NotificationRepository extends EntityRepository<Notification> {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {
    super(Notification, unitOfWork);
  }

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
  async markRead(actor: Actor, id: string): Promise<boolean> {
    const notification = { ...visibleTo(actor), id };
    const marked = await this.updateBy({ ...notification, readAt: IsNull() }, { readAt: this.clock.now() });
    return marked.length === 1 || this.rows.existsBy(notification);
  }

  async markAllRead(actor: Actor): Promise<void> {
    await this.rows.update({ ...visibleTo(actor), readAt: IsNull() }, { readAt: this.clock.now() });
  }
}
