import { Query, QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import type { JobView } from '../http/views/job.views';
import { ListJobs } from './list-jobs';

/** Gets a job of the queue. NOT_FOUND, also for one that succeeded. */
export class GetJob extends Query<Result<JobView, 'NOT_FOUND'>> {
  constructor(readonly jobId: string) {
    super();
  }
}

@QueryHandler(GetJob)
export class GetJobHandler implements IQueryHandler<GetJob> {
  constructor(private readonly queries: QueryBus) {}

  async execute({ jobId }: GetJob) {
    const jobs = await this.queries.execute(new ListJobs({ id: jobId }, { limit: 1 }));
    if (!jobs.ok) return jobs;
    const [job] = jobs.value.items;
    return job ? ok(job) : err(PlatformFailures.notFound);
  }
}
