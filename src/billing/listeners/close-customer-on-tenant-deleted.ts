import { Injectable, type OnModuleInit } from '@nestjs/common';
import { MINUTE } from '../../platform/clock';
import { DomainEvents } from '../../platform/domain-events';
import { Jobs } from '../../platform/jobs/jobs';
import { TenantDeleted } from '../../tenants/tenants.api';
import { CloseCustomer } from '../checkout/commands/close-customer';
import { SubscriptionRepository } from '../subscriptions/data/subscription.repository';
import { StripeGateway } from '../stripe/stripe-gateway';

/**
 * Seconds until a deleted tenant's customer is looked after: longer than anybody who was just
 * preparing a checkout takes.
 */
const PAUSE = 3 * MINUTE;

/** When a tenant goes, somebody may still stand at the processor's till for it. */
@Injectable()
export class CloseCustomerOnTenantDeleted implements OnModuleInit {
  constructor(
    private readonly subscriptions: SubscriptionRepository,
    private readonly stripeGateway: StripeGateway,
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.events.on(TenantDeleted, (deleted) => this.closeCustomers(deleted.map(({ target }) => target.id)));
  }

  private async closeCustomers(tenantIds: readonly string[]): Promise<void> {
    if (!this.stripeGateway.isSetUp) return;
    const known = await this.subscriptions.lockAll({ subscriptionIds: [], customerIds: [], tenantIds });
    const jobs = known.flatMap(({ tenantId, processorCustomerId }) =>
      processorCustomerId ? [{ command: new CloseCustomer(tenantId, processorCustomerId), pause: PAUSE }] : [],
    );
    await this.jobs.enqueueAll(jobs);
  }
}
