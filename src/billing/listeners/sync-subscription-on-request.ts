import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '../../platform/domain-events';
import { Jobs } from '../../platform/jobs/jobs';
import { SyncRequested } from '../billing.events';
import { StripeGateway } from '../stripe/stripe-gateway';
import { syncSubscriptionJob } from '../sync/commands/sync-subscription';

/** Enqueues a job per tenant that reads its subscription from Stripe; none without a Stripe key. */
@Injectable()
export class SyncSubscriptionOnRequest implements OnModuleInit {
  constructor(
    private readonly stripeGateway: StripeGateway,
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.events.on(SyncRequested, (events) => this.enqueue(events.map(({ target }) => target.id)));
  }

  private async enqueue(tenantIds: readonly string[]): Promise<void> {
    if (this.stripeGateway.isSetUp) await this.jobs.enqueueAll([...new Set(tenantIds)].map(syncSubscriptionJob));
  }
}
