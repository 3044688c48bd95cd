import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { UnverifiedAccountDeleted } from '../auth.events';

/** Nobody has signed in yet: the workspace contains only its roles and its Owner. */
const DELETE = `
  WITH unverified AS (
    SELECT id FROM users WHERE id = ANY($1::uuid[]) AND NOT is_email_verified ORDER BY id FOR UPDATE
  ), workspaces AS (
    DELETE FROM tenants WHERE id IN (SELECT m.tenant_id FROM memberships m JOIN unverified u ON u.id = m.user_id
      WHERE m.is_owner)
  )
  DELETE FROM users WHERE id IN (SELECT id FROM unverified) RETURNING id`;

/** Deletes accounts whose email address was never verified. */
@Injectable()
export class UnverifiedAccountDeletion {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly events: DomainEvents,
  ) {}

  /**
   * Deletes the unverified accounts among these, with their workspaces; inside a transaction across
   * tenants.
   * @param reason kept in the audit log
   */
  async delete(userIds: readonly string[], reason: 'disowned' | 'never-verified'): Promise<void> {
    const deleted = await this.unitOfWork.query<{ id: string }>(DELETE, [userIds]);
    await this.events.publish(...deleted.map(({ id }) => new UnverifiedAccountDeleted(id, reason)));
  }
}
