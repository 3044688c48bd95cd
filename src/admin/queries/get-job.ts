import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Database } from '../../platform/database/database';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import type { JobView } from '../http/views/job.views';
import { jobDetails, SELECT_JOBS, type JobRow } from '../data/job-select';

/** Gets a job of the queue. NOT_FOUND, also for one that succeeded. */
export class GetJob extends Query<Result<JobView, 'NOT_FOUND'>> {
  constructor(readonly jobId: string) {
    super();
  }
}

@QueryHandler(GetJob)
export class GetJobHandler implements IQueryHandler<GetJob> {
  constructor(private readonly database: Database) {}

  async execute({ jobId }: GetJob) {
    const [job] = await this.database.query<JobRow>(`${SELECT_JOBS} WHERE j.id = $1`, [jobId]);
    return job ? ok(jobDetails(job)) : err(PlatformFailures.notFound);
  }
}
