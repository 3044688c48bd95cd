import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { EntityRepository } from '../../platform/database/entity-repository';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { currentContext } from '../../platform/observability/request-context';
import { AuditEntry, type AuditRecord } from '../domain/audit-entry';

/** Stores the append-only audit log. */
@Injectable()
export class AuditLogRepository extends EntityRepository<AuditEntry> {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {
    super(AuditEntry, unitOfWork);
  }

  /** Appends records with one statement in the running transaction. */
  async append(records: readonly AuditRecord[]): Promise<void> {
    const now = this.clock.now();
    const request = currentContext();
    await this.insertAllLater(records.map((record) => AuditEntry.of(record, request, now)));
  }
}
