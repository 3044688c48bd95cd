import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents, type DomainEvent } from '../../platform/domain-events';
import { Jobs } from '../../platform/jobs/jobs';
import { OwnershipTransferred, TenantRenamed } from '../../tenants/tenants.api';
import { updateCustomerJob } from '../checkout/commands/update-customer';
import { StripeClient } from '../stripe/stripe-client';

/** Keeps the name and email of the Stripe customer in sync with the tenant and its Owner. */
@Injectable()
export class UpdateCustomerOnTenantChanged implements OnModuleInit {
  constructor(
    private readonly stripeClient: StripeClient,
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    for (const type of [OwnershipTransferred, TenantRenamed])
      this.events.on<DomainEvent>(type, (events) => this.update(events));
  }

  private async update(events: readonly DomainEvent[]): Promise<void> {
    if (!this.stripeClient.isSetUp) return;
    await this.jobs.enqueueAll([...new Set(events.flatMap(({ tenantId }) => tenantId ?? []))].map(updateCustomerJob));
  }
}
