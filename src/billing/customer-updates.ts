import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents, type DomainEvent } from '../platform/domain-events';
import { Jobs } from '../platform/jobs/jobs';
import { OwnershipTransferred, TenantRenamed } from '../tenants/tenants.api';
import { describeSoon } from './commands/describe-customer';
import { ProcessorGateway } from './processor/processor-gateway';

/** The processor's customer follows the tenant: its name, and the address of who owns it. */
@Injectable()
export class CustomerUpdates implements OnModuleInit {
  constructor(
    private readonly gateway: ProcessorGateway,
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    for (const type of [OwnershipTransferred, TenantRenamed])
      this.events.on<DomainEvent>(type, (events) => this.describe(events));
  }

  private async describe(events: readonly DomainEvent[]): Promise<void> {
    if (!this.gateway.isSetUp) return;
    await this.jobs.enqueueAll([...new Set(events.flatMap(({ tenantId }) => tenantId ?? []))].map(describeSoon));
  }
}
