import { Injectable } from '@nestjs/common';
import type { ErasedPerson } from '../../platform/erasure-steps';
import { UnitOfWork } from '../../platform/database/unit-of-work';

/** The condition is that of the index `notifications_named_idx`. */
const ERASE = `
  DELETE FROM notifications WHERE id IN (
    SELECT id FROM notifications
     WHERE kind IN ('InvitationReceived', 'MemberInvited', 'MemberJoined')
       AND data @> ANY ($1::jsonb[]) AND created_at <= $2 LIMIT $3)
  RETURNING 1`;

/** Deletes notifications of others that name a person or a tenant that is gone. */
@Injectable()
export class NotificationErasure {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Runs across tenants. @returns how many were deleted, at most `limit` */
  async erase({ userId, emails, erasedAt, deletedTenantIds }: ErasedPerson, limit: number): Promise<number> {
    const named = [
      { userId },
      ...emails.map((email) => ({ email })),
      ...deletedTenantIds.map((tenantId) => ({ tenantId })),
    ];
    const data = named.map((fields) => JSON.stringify(fields));
    return (await this.unitOfWork.query(ERASE, [data, erasedAt, limit])).length;
  }
}
