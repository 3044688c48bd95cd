import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import type { DomainEvent } from '../../platform/domain-events';
import { newIdAt } from '../../platform/ids';
import { currentContext } from '../../platform/observability/request-context';
import { UnitOfWork } from '../../platform/database/unit-of-work';

/** The part of an event that is stored; the rest comes from the running request. */
export type AuditRecord = Pick<DomainEvent, 'action' | 'by' | 'tenantId' | 'target' | 'data'>;

const APPEND = `
  INSERT INTO audit_log (id, at, action, actor_id, impersonator_id, tenant_id, target_type, target_id, ip,
    request_id, data)
  SELECT id, $2, action, actor_id, impersonator_id, tenant_id, target_type, target_id, $3, $4, data
    FROM jsonb_to_recordset($1::jsonb) AS entry (
         id uuid, action text, actor_id uuid, impersonator_id uuid, tenant_id uuid, target_type text, target_id text,
  data jsonb)`;

/** Stores the append-only audit log. */
@Injectable()
export class AuditLogRepository {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Appends records with one statement in the running transaction. */
  async append(records: readonly AuditRecord[]): Promise<void> {
    const now = this.clock.now();
    const entries = records.map(({ action, by, tenantId, target, data }) => ({
      id: newIdAt(now),
      action,
      actor_id: by.userId,
      impersonator_id: by.impersonatorId,
      tenant_id: tenantId,
      target_type: target.type,
      target_id: target.id,
      data,
    }));
    const { ip, requestId } = currentContext();
    await this.unitOfWork.query(APPEND, [JSON.stringify(entries), now, ip, requestId]);
  }
}
