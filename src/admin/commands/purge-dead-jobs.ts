import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock, DAY, addSeconds } from '../../platform/clock';
import { BatchedPurge } from '../../platform/jobs/batched-purge';
import { Job } from '../../platform/jobs/jobs';
import { Schedule } from '../../platform/jobs/schedule.decorator';
import { JOB_STATE } from '../../platform/jobs/job-states';
import type { Result } from '../../platform/result';

/**
 * Seconds for which dead jobs are kept for inspection; the last attempt of a job is about 4 days
 * after its first.
 */
const RETENTION_SECONDS = 30 * DAY;

/**
 * Removes jobs that ran out of attempts long ago. Enqueues itself again while there is more.
 */
@Job('purge-dead-jobs')
@Schedule('59 3 * * *')
export class PurgeDeadJobs extends Command<Result> {}

@CommandHandler(PurgeDeadJobs)
export class PurgeDeadJobsHandler implements ICommandHandler<PurgeDeadJobs> {
  constructor(
    private readonly purge: BatchedPurge,
    private readonly clock: Clock,
  ) {}

  /** No worker has locked a dead job; a retried one is newer. Its row can be deleted. */
  execute() {
    return this.purge.run(new PurgeDeadJobs(), {
      table: 'graphile_worker._private_jobs',
      key: ['id'],
      by: 'updated_at',
      until: addSeconds(this.clock.now(), -RETENTION_SECONDS),
      where: `${JOB_STATE} = 'dead'`,
    });
  }
}
