import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Job, type JobRequest } from '../../../platform/jobs/jobs';
import { PlatformFailures } from '../../../platform/platform.failures';
import { ok, type Result } from '../../../platform/result';
import { SubscriptionRefresher } from '../services/subscription-refresher';

/**
 * Seconds until the processor is asked after an event: several that belong together need one look.
 */
const SOON = 5;

/**
 * Reads a tenant's subscription at the processor and corrects ours. Tried again while the processor
 * cannot be reached.
 */
@Job('sync-subscription', 'processor')
export class SyncSubscription extends Command<Result> {
  constructor(readonly tenantId: string) {
    super();
  }
}

/** The job that does it in a moment; while it waits, there is one per tenant. */
export const syncSubscriptionJob = (tenantId: string): JobRequest => ({
  command: new SyncSubscription(tenantId),
  key: `sync-subscription:${tenantId}`,
  pause: SOON,
});

@CommandHandler(SyncSubscription)
export class SyncSubscriptionHandler implements ICommandHandler<SyncSubscription> {
  constructor(private readonly subscriptionRefresher: SubscriptionRefresher) {}

  async execute({ tenantId }: SyncSubscription): Promise<Result> {
    const read = await this.subscriptionRefresher.reread(tenantId);
    return read.ok || read.failure === PlatformFailures.notFound ? ok() : read; // the tenant was deleted meanwhile
  }
}
