import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Job, type JobRequest } from '../../../platform/jobs/jobs';
import { PlatformFailures } from '../../../platform/platform.failures';
import { ok, type Result } from '../../../platform/result';
import { SubscriptionRefresher } from '../services/subscription-refresher';

/** Seconds between an event and the call to Stripe, so that related events need only one call. */
const PAUSE_SECONDS = 5;

/**
 * Reads a tenant's subscription from Stripe and corrects the stored one. Retried while Stripe is
 * unavailable.
 */
@Job('sync-subscription', 'processor')
export class SyncSubscription extends Command<Result<void, 'BILLING_UNAVAILABLE' | 'NOT_FOUND'>> {
  constructor(readonly tenantId: string) {
    super();
  }
}

/** The job for it. At most one waits per tenant. */
export const syncSubscriptionJob = (tenantId: string): JobRequest => ({
  command: new SyncSubscription(tenantId),
  key: `sync-subscription:${tenantId}`,
  pause: PAUSE_SECONDS,
});

@CommandHandler(SyncSubscription)
export class SyncSubscriptionHandler implements ICommandHandler<SyncSubscription> {
  constructor(private readonly subscriptionRefresher: SubscriptionRefresher) {}

  async execute({ tenantId }: SyncSubscription) {
    const refreshed = await this.subscriptionRefresher.refresh(tenantId);
    return refreshed.ok || refreshed.failure === PlatformFailures.notFound ? ok() : refreshed; // or it was deleted
  }
}
