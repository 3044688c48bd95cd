import { Injectable, type OnModuleInit } from '@nestjs/common';
import { MINUTE } from '../../platform/clock';
import { DomainEvents } from '../../platform/domain-events';
import { Jobs } from '../../platform/jobs/jobs';
import { TenantDeleted } from '../../tenants/tenants.api';
import { TrialGrantRepository } from '../checkout/data/trial-grant.repository';
import { CloseCustomer } from '../checkout/commands/close-customer';
import { SubscriptionRepository } from '../subscriptions/data/subscription.repository';
import { StripeClient } from '../stripe/stripe-client';

/**
 * Seconds before a customer is closed: at once, and when a checkout that was being prepared is
 * certainly open.
 */
const PAUSES = [0, 3 * MINUTE];

/**
 * A checkout may still be open when its tenant is deleted. Its Owner may use a trial that was not
 * started in another tenant.
 */
@Injectable()
export class CloseCustomerOnTenantDeleted implements OnModuleInit {
  constructor(
    private readonly subscriptions: SubscriptionRepository,
    private readonly trialGrants: TrialGrantRepository,
    private readonly stripeClient: StripeClient,
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.events.on(TenantDeleted, (deleted) => this.closeCustomers(deleted.map(({ target }) => target.id)));
  }

  private async closeCustomers(tenantIds: readonly string[]): Promise<void> {
    if (!this.stripeClient.isSetUp) return;
    const known = await this.subscriptions.lockAll({ subscriptionIds: [], customerIds: [], tenantIds });
    const jobs = known.flatMap(({ tenantId, processorCustomerId: customerId }) =>
      customerId ? PAUSES.map((pause) => ({ command: new CloseCustomer(tenantId, customerId), pause })) : [],
    );
    await this.jobs.enqueueAll(jobs);
    await this.trialGrants.remove(known.flatMap(({ tenantId, hadTrial }) => (hadTrial ? [] : tenantId)));
  }
}
