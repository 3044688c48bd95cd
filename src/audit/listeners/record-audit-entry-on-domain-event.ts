import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AggregatedEvent, DomainEvent, DomainEvents, UnrecordedEvent } from '../../platform/domain-events';
import { AuditAggregation } from '../services/audit-aggregation';
import { AuditLogRepository } from '../data/audit-log.repository';

/**
 * Records every domain event of every module in the audit log. A new event class needs no change
 * here. Two entries are written directly: a sign-in by `session.statements.ts`, and `npm run admin`
 * by `set-admin.ts`.
 */
@Injectable()
export class RecordAuditEntryOnDomainEvent implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly log: AuditLogRepository,
    private readonly auditAggregation: AuditAggregation,
  ) {}

  onModuleInit(): void {
    this.events.on(DomainEvent, async (events) => {
      const single = events.filter((event) => !(event instanceof AggregatedEvent || event instanceof UnrecordedEvent));
      for (const event of events) if (event instanceof AggregatedEvent) await this.auditAggregation.add(event);
      if (single.length > 0) await this.log.append(single);
    });
  }
}
