import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock, DAY, addSeconds } from '../../platform/clock';
import { firstIdAt } from '../../platform/ids';
import { BatchedPurge } from '../../platform/jobs/batched-purge';
import { Job } from '../../platform/jobs/jobs';
import { Schedule } from '../../platform/jobs/schedule.decorator';
import type { Result } from '../../platform/result';

/** Seconds for which a request is kept. All of them are closed long before. */
const RETENTION_SECONDS = 180 * DAY;

/**
 * Removes old requests to reset a second factor. The audit log keeps what happened. Enqueues itself
 * again while there is more.
 */
@Job('purge-factor-resets')
@Schedule('37 4 * * *')
export class PurgeFactorResets extends Command<Result> {}

@CommandHandler(PurgeFactorResets)
export class PurgeFactorResetsHandler implements ICommandHandler<PurgeFactorResets> {
  constructor(
    private readonly purge: BatchedPurge,
    private readonly clock: Clock,
  ) {}

  execute() {
    const until = firstIdAt(addSeconds(this.clock.now(), -RETENTION_SECONDS)); // ids contain the time of creation
    return this.purge.run(new PurgeFactorResets(), { table: 'factor_resets', key: ['id'], by: 'id', until });
  }
}
