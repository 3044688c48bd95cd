import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvent, DomainEvents } from '../platform/domain-events';
import { AuditLog } from './data/audit-log';

/** Writes every domain event down, whichever module tells it: a new one needs nothing here. */
@Injectable()
export class AuditListener implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly log: AuditLog,
  ) {}

  onModuleInit(): void {
    this.events.on(DomainEvent, (events) => this.log.append(events));
  }
}
