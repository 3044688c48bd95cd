import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock, DAY, addSeconds } from '../../../platform/clock';
import { Job, Jobs } from '../../../platform/jobs/jobs';
import { Schedule } from '../../../platform/jobs/schedule.decorator';
import { ok, type Result } from '../../../platform/result';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { SubscriptionRepository } from '../data/subscription.repository';
import { SubscriptionWriter } from '../services/subscription-writer';

/**
 * Seconds before the end of a trial at which its Owner is reminded (docs/contract.md, Billing
 * notices).
 */
const NOTICE_SECONDS = 3 * DAY;
/** Tenants per run: small enough for one short transaction. */
const BATCH = 100;

/**
 * Reminds Owners that their trial is about to end, if Stripe's event was never delivered. Repeats
 * itself while there are more.
 */
@Job('remind-of-trial-ends')
@Schedule('23 * * * *')
export class RemindOfTrialEnds extends Command<Result> {}

@CommandHandler(RemindOfTrialEnds)
export class RemindOfTrialEndsHandler implements ICommandHandler<RemindOfTrialEnds> {
  constructor(
    private readonly subscriptions: SubscriptionRepository,
    private readonly subscriptionWriter: SubscriptionWriter,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute(): Promise<Result> {
    return this.unitOfWork.acrossTenants(async () => {
      const now = this.clock.now();
      const ending = await this.subscriptions.lockTrialsEnding(now, addSeconds(now, NOTICE_SECONDS), BATCH);
      for (const subscription of ending) subscription.remindOfTrialEnd(now);
      await this.subscriptionWriter.save(ending, 'schedule', now);
      if (ending.length === BATCH) await this.jobs.enqueue(new RemindOfTrialEnds());
      return ok();
    });
  }
}
