import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '../../platform/domain-events';
import { Jobs } from '../../platform/jobs/jobs';
import { SyncRequested } from '../billing.events';
import { StripeClient } from '../stripe/stripe-client';
import { syncSubscriptionJob } from '../sync/commands/sync-subscription';

/** Enqueues a job per tenant that reads its subscription from Stripe; none without a Stripe key. */
@Injectable()
export class SyncSubscriptionOnRequest implements OnModuleInit {
  constructor(
    private readonly stripeClient: StripeClient,
    private readonly events: DomainEvents,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.events.on(SyncRequested, (events) => this.enqueue(events.map(({ target }) => target.id)));
  }

  private async enqueue(tenantIds: readonly string[]): Promise<void> {
    if (this.stripeClient.isSetUp) await this.jobs.enqueueAll([...new Set(tenantIds)].map(syncSubscriptionJob));
  }
}
