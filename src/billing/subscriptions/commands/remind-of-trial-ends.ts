import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock, DAY, addSeconds } from '../../../platform/clock';
import { Job, Jobs } from '../../../platform/jobs/jobs';
import { ok, type Result } from '../../../platform/result';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { SubscriptionRepository } from '../data/subscription.repository';
import { SubscriptionChange, SubscriptionWriter } from '../services/subscription-writer';

/** Seconds before its end at which a trial's end is told (contract section 11, Mirroring). */
const NOTICE_SECONDS = 3 * DAY;
/** Tenants per run: small enough for one short transaction. */
const BATCH = 100;

/**
 * Tells Owners that their trial is about to end, where the processor's event never came. Repeats
 * itself while there are more.
 */
@Job('remind-of-trial-ends')
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
      const changes = (await this.subscriptions.lockTrialsEnding(now, addSeconds(now, NOTICE_SECONDS), BATCH)).map(
        (one) => new SubscriptionChange(one),
      );
      for (const { subscription, notices } of changes) subscription.tellTrialEnd(now, notices);
      await this.subscriptionWriter.save(changes, 'schedule', now);
      if (changes.length === BATCH) await this.jobs.enqueue(new RemindOfTrialEnds());
      return ok();
    });
  }
}
