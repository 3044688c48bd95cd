import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import { recordsOf } from '../../platform/database/entity-records';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { currentContext } from '../../platform/observability/request-context';
import { AuditEntry, type AuditRecord } from '../domain/audit-entry';

const ENTRIES = recordsOf(AuditEntry);

const APPEND = `
  INSERT INTO audit_log (${ENTRIES.columns}) SELECT ${ENTRIES.columns} FROM ${ENTRIES.rowsOf('$1')}`;

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
    const request = currentContext();
    const entries = records.map((record) => AuditEntry.of(record, request, now));
    await this.unitOfWork.write(APPEND, [ENTRIES.parameter(entries)]);
  }
}
