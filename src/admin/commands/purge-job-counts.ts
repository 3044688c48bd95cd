import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock, DAY, addSeconds } from '../../platform/clock';
import { BatchedPurge } from '../../platform/jobs/batched-purge';
import { Job } from '../../platform/jobs/jobs';
import { Schedule } from '../../platform/jobs/schedule.decorator';
import type { Result } from '../../platform/result';

/** Seconds for which counts are kept: the longest period of GetJobRates and a day. */
const RETENTION_SECONDS = 8 * DAY;

/**
 * Removes counts of finished jobs that are older than any period that operators can request.
 * Enqueues itself again while there is more.
 */
@Job('purge-job-counts')
@Schedule('53 3 * * *')
export class PurgeJobCounts extends Command<Result> {}

@CommandHandler(PurgeJobCounts)
export class PurgeJobCountsHandler implements ICommandHandler<PurgeJobCounts> {
  constructor(
    private readonly purge: BatchedPurge,
    private readonly clock: Clock,
  ) {}

  execute() {
    const until = addSeconds(this.clock.now(), -RETENTION_SECONDS);
    return this.purge.run(new PurgeJobCounts(), { table: 'job_counts', key: ['minute', 'task'], by: 'minute', until });
  }
}
