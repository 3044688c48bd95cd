import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Job, Jobs } from '../../platform/jobs/jobs';
import { Schedule } from '../../platform/jobs/schedule.decorator';
import { JOB_STATE } from '../../platform/jobs/job-states';
import { ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';

/**
 * Days for which dead jobs are kept for inspection; the last attempt of a job is about 4 days
 * after its first.
 */
const RETENTION_DAYS = 30;
/** Rows per run, so that one statement stays short. */
const BATCH = 5000;

/**
 * Removes jobs that ran out of attempts long ago, by PostgreSQL's clock, which the queue also
 * uses. Enqueues itself again while there is more.
 */
@Job('purge-dead-jobs')
@Schedule('59 3 * * *')
export class PurgeDeadJobs extends Command<Result> {}

const PURGE = `
  SELECT id FROM graphile_worker.complete_jobs((
    SELECT array_agg(id) FROM (
      SELECT id FROM graphile_worker._private_jobs
       WHERE ${JOB_STATE} = 'dead' AND updated_at < now() - make_interval(days => $1) LIMIT $2) dead))`;

@CommandHandler(PurgeDeadJobs)
export class PurgeDeadJobsHandler implements ICommandHandler<PurgeDeadJobs> {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: Jobs,
  ) {}

  execute() {
    return this.unitOfWork.transaction(async () => {
      const purged = await this.unitOfWork.query(PURGE, [RETENTION_DAYS, BATCH]);
      if (purged.length === BATCH) await this.jobs.enqueue(new PurgeDeadJobs());
      return ok();
    });
  }
}
