import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database';
import { EVERY_TENANT } from '../../platform/database/tenant-scope';

/** One index lookup per user. */
const NEWEST = `
  SELECT asked.id AS "userId",
         (SELECT position FROM notifications WHERE user_id = asked.id ORDER BY position DESC LIMIT 1) AS position
    FROM unnest($1::uuid[]) AS asked (id)`;

/** The position of a user's newest notification in any tenant; null: there is none. */
export interface NewestPosition {
  readonly userId: string;
  readonly position: string | null;
}

/** Reads positions without the notifications, for instances that receive no announcements. */
@Injectable()
export class NotificationPositions {
  constructor(private readonly database: Database) {}

  /** The newest position of each user, in one round trip to the primary. */
  newest(userIds: readonly string[]): Promise<NewestPosition[]> {
    return this.database.queryInTenant<NewestPosition>(EVERY_TENANT, NEWEST, [userIds]);
  }
}
