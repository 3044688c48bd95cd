import { Injectable } from '@nestjs/common';
import { LessThanOrEqual, Raw } from 'typeorm';
import { EntityRepository } from '../../platform/database/entity-repository';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import type { ErasedPerson } from '../../platform/erasure-steps';
import { Notification } from '../domain/notification';

/** The condition of the index `notifications_named_idx`; parameters would hide it. */
const NAMES_A_PERSON = Raw((kind) => `${kind} IN ('InvitationReceived', 'MemberInvited', 'MemberJoined')`);

/** Deletes notifications of others that name a person or a tenant that is gone. */
@Injectable()
export class NotificationErasure extends EntityRepository<Notification> {
  constructor(unitOfWork: UnitOfWork) {
    super(Notification, unitOfWork);
  }

  /** Runs across tenants. @returns how many were deleted, at most `limit` */
  erase({ userId, emails, erasedAt, deletedTenantIds }: ErasedPerson, limit: number): Promise<number> {
    const named = [
      { userId },
      ...emails.map((email) => ({ email })),
      ...deletedTenantIds.map((tenantId) => ({ tenantId })),
    ].map((fields) => JSON.stringify(fields));
    const data = Raw((column) => `${column} @> ANY (:named::jsonb[])`, { named });
    return this.deleteSome({ kind: NAMES_A_PERSON, data, createdAt: LessThanOrEqual(erasedAt) }, limit);
  }
}
