import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Page } from '../../platform/pagination';
import { Database } from '../../platform/database/database';
import { readJobQueues } from '../../platform/jobs/job-queues';
import { ok, type Result } from '../../platform/result';
import type { JobQueueView } from '../http/views/job.views';

/**
 * Counts the jobs of each task by state, ordered by task. One page: the number of tasks is fixed
 * by the code.
 */
export class ListQueues extends Query<Result<Page<JobQueueView>>> {}

@QueryHandler(ListQueues)
export class ListQueuesHandler implements IQueryHandler<ListQueues> {
  constructor(private readonly database: Database) {}

  /** Reads the primary, as the list of jobs does. */
  async execute(): Promise<Result<Page<JobQueueView>>> {
    return ok({ items: await readJobQueues(this.database), nextCursor: null });
  }
}
