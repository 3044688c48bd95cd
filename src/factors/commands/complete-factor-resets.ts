import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock, addSeconds } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { Job, Jobs } from '../../platform/jobs/jobs';
import { Schedule } from '../../platform/jobs/schedule.decorator';
import { ok, type Result } from '../../platform/result';
import { FactorResetRepository } from '../data/factor-reset.repository';
import { APPROVAL_SECONDS, NOTICE_SECONDS } from '../domain/factor-reset';
import { FactorResetExpired } from '../factors.events';
import { CompleteFactorReset } from './complete-factor-reset';

/** Resets per run; the next run continues. */
const BATCH = 100;

/**
 * Starts the resets that were approved and that the users had time to stop, and closes requests
 * that were not approved in time. Each reset is a job of its own, so that one that fails does not
 * delay the others.
 */
@Job('complete-factor-resets')
@Schedule('*/10 * * * *')
export class CompleteFactorResets extends Command<Result> {}

@CommandHandler(CompleteFactorResets)
export class CompleteFactorResetsHandler implements ICommandHandler<CompleteFactorResets> {
  constructor(
    private readonly resets: FactorResetRepository,
    private readonly jobs: Jobs,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute(): Promise<Result> {
    const now = this.clock.now();
    return this.unitOfWork.transaction(async () => {
      const expired = await this.resets.expire(addSeconds(now, -APPROVAL_SECONDS), now);
      await this.events.publish(...expired.map((reset) => new FactorResetExpired(reset)));
      const due = await this.resets.listApproved(addSeconds(now, -NOTICE_SECONDS), BATCH);
      await this.jobs.enqueueMissing(
        due.map(({ id }) => ({ command: new CompleteFactorReset(id), key: `complete-factor-reset:${id}` })),
      );
      return ok();
    });
  }
}
