import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvent, DomainEvents } from '../../platform/domain-events';
import { WebhookOutbox } from '../services/webhook-outbox';

/** Stores the public events of the domain events of all modules. */
@Injectable()
export class RecordMessageOnDomainEvent implements OnModuleInit {
  constructor(
    private readonly events: DomainEvents,
    private readonly outbox: WebhookOutbox,
  ) {}

  onModuleInit(): void {
    this.events.on(DomainEvent, (events) => this.outbox.add(events));
  }
}
