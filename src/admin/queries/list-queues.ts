import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Page } from '../../platform/pagination';
import { Database } from '../../platform/database/database';
import { JOB_STATE, JOB_STATES } from '../../platform/jobs/job-states';
import { ok, type Result } from '../../platform/result';
import type { JobQueueView } from '../http/views/job.views';

/**
 * Counts the jobs of each task by state, ordered by task. One page: the number of tasks is fixed
 * by the code.
 */
export class ListQueues extends Query<Result<Page<JobQueueView>>> {}

const COUNTS = JOB_STATES.map((state) => `(count(*) FILTER (WHERE state = '${state}'))::int AS ${state}`).join(', ');
const QUEUES = `
  SELECT t.identifier AS task, q.* FROM (
    SELECT task_id, ${COUNTS} FROM (SELECT task_id, ${JOB_STATE} AS state FROM graphile_worker._private_jobs) j
      GROUP BY task_id) q
    JOIN graphile_worker._private_tasks t ON t.id = q.task_id ORDER BY t.identifier COLLATE "C"`;

@QueryHandler(ListQueues)
export class ListQueuesHandler implements IQueryHandler<ListQueues> {
  constructor(private readonly database: Database) {}

  /** Reads the primary, as the list of jobs does. */
  async execute(): Promise<Result<Page<JobQueueView>>> {
    const rows = await this.database.query<JobQueueView>(QUEUES, []);
    return ok({
      items: rows.map(({ task, waiting, running, retrying, dead }) => ({ task, waiting, running, retrying, dead })),
      nextCursor: null,
    });
  }
}
