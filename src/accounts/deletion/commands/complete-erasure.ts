import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../../../platform/clock';
import { UnitOfWork } from '../../../platform/database/unit-of-work';
import { ErasureSteps } from '../../../platform/erasure-steps';
import { Job, Jobs, type KeyedJobRequest } from '../../../platform/jobs/jobs';
import { ok, type Result } from '../../../platform/result';
import { AccountErasureRepository } from '../data/account-erasure.repository';
import { AddressRemoval } from '../services/address-removal';
import { accountDeletedMailJob } from './send-account-deleted-mail';

/** Traces of each kind per run: few enough for short statements. */
const BATCH = 1000;

/**
 * Erases a batch of what the deletion of an account left behind, and enqueues itself while there is
 * more; then the last email is sent. It runs again a day later, for what was written meanwhile.
 */
@Job('complete-erasure')
export class CompleteErasure extends Command<Result> {
  constructor(readonly userId: string) {
    super();
  }
}

/** The job that starts it. At most one exists per account; further batches have no key. */
export const completeErasureJob = (userId: string): KeyedJobRequest => ({
  command: new CompleteErasure(userId),
  key: `complete-erasure:${userId}`,
});

@CommandHandler(CompleteErasure)
export class CompleteErasureHandler implements ICommandHandler<CompleteErasure> {
  constructor(
    private readonly erasures: AccountErasureRepository,
    private readonly addressRemoval: AddressRemoval,
    private readonly steps: ErasureSteps,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute({ userId }: CompleteErasure) {
    return this.unitOfWork.acrossTenants(async () => {
      const erasure = await this.erasures.lock(userId);
      if (!erasure) return ok();
      const now = this.clock.now();
      if (await this.steps.run(erasure, BATCH)) await this.jobs.enqueue(new CompleteErasure(userId));
      else if (erasure.isMailDue(now)) await this.jobs.enqueueMissing([accountDeletedMailJob(userId)]);
      else if (erasure.isSettled(now)) await this.erasures.remove(erasure);
      else await this.addressRemoval.remove(erasure);
      return ok();
    });
  }
}
