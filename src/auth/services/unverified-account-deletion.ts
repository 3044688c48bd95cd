import { Injectable } from '@nestjs/common';
import { AuditLogRepository } from '../../audit/audit.api';
import type { ActorRef } from '../../platform/domain-events';
import { UnitOfWork } from '../../platform/database/unit-of-work';

/** Nobody has ever signed in: besides its roles and its Owner the workspace holds nothing. */
const REMOVE = `
  WITH unverified AS (
    SELECT id FROM users WHERE id = ANY($1::uuid[]) AND NOT is_email_verified ORDER BY id FOR UPDATE
  ), workspaces AS (
    DELETE FROM tenants WHERE id IN (SELECT m.tenant_id FROM memberships m JOIN unverified u ON u.id = m.user_id
      WHERE m.is_owner)
  )
  DELETE FROM users WHERE id IN (SELECT id FROM unverified) RETURNING id`;

const NOBODY: ActorRef = { userId: null, impersonatorId: null };

/** Accounts that nobody has ever proven to own. */
@Injectable()
export class UnverifiedAccountDeletion {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly auditLogRepository: AuditLogRepository,
  ) {}

  /**
   * Deletes those of these accounts that are not verified, with their workspaces; in a transaction
   * over every tenant.
   * @param reason for the audit log
   */
  async remove(ids: readonly string[], reason: 'disowned' | 'never-verified'): Promise<void> {
    const removed = await this.unitOfWork.query<{ id: string }>(REMOVE, [ids]);
    const entries = removed.map(({ id }) => ({
      action: 'user.deleted',
      by: NOBODY,
      tenantId: null,
      target: { type: 'user', id },
      data: { reason },
    }));
    if (entries.length > 0) await this.auditLogRepository.append(entries);
  }
}
