import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock, DAY, addSeconds } from '../../platform/clock';
import { Job, Jobs } from '../../platform/jobs/jobs';
import { Schedule } from '../../platform/jobs/schedule.decorator';
import { ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';

/** Seconds for which counts are kept: the longest period of GetJobRates and a day. */
const RETENTION_SECONDS = 8 * DAY;
/** Rows per run, so that one statement stays short. */
const BATCH = 5000;

/**
 * Removes counts of finished jobs that are older than any period that operators can request.
 * Enqueues itself again while there is more.
 */
@Job('purge-job-counts')
@Schedule('53 3 * * *')
export class PurgeJobCounts extends Command<Result> {}

const PURGE = `
  DELETE FROM job_counts WHERE (minute, task) IN (SELECT minute, task FROM job_counts WHERE minute < $1
    ORDER BY minute LIMIT $2)
  RETURNING minute`;

@CommandHandler(PurgeJobCounts)
export class PurgeJobCountsHandler implements ICommandHandler<PurgeJobCounts> {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  execute() {
    return this.unitOfWork.transaction(async () => {
      const purged = await this.unitOfWork.query(PURGE, [addSeconds(this.clock.now(), -RETENTION_SECONDS), BATCH]);
      if (purged.length === BATCH) await this.jobs.enqueue(new PurgeJobCounts());
      return ok();
    });
  }
}
