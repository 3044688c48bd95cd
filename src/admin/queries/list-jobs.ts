import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { idOf, pageOf, type Page, type PageRequest } from '../../platform/pagination';
import { Database } from '../../platform/database/database';
import { JOB_STATE, type JobState } from '../../platform/jobs/job-states';
import { ok, type Result } from '../../platform/result';
import { jobDetails, SELECT_JOBS, type JobRow } from '../data/job-select';
import type { JobView } from '../http/views/job.views';

/** Lists the jobs of the queue, newest first. Jobs that succeeded are removed from it. */
export class ListJobs extends Query<Result<Page<JobView>>> {
  constructor(
    readonly state: JobState | undefined,
    readonly task: string | undefined,
    readonly page: PageRequest,
  ) {
    super();
  }
}

@QueryHandler(ListJobs)
export class ListJobsHandler implements IQueryHandler<ListJobs> {
  constructor(private readonly database: Database) {}

  /** Reads the primary, so that an operator sees the effect of a retry at once. */
  async execute({ state, task, page }: ListJobs): Promise<Result<Page<JobView>>> {
    const rows = await this.database.query<JobRow>(
      `${SELECT_JOBS}
        WHERE ($1::text IS NULL OR ${JOB_STATE} = $1) AND ($2::text IS NULL OR t.identifier = $2)
          AND ($3::bigint IS NULL OR j.id < $3)
        ORDER BY j.id DESC LIMIT $4`,
      [state ?? null, task ?? null, numberOf(idOf(page.cursor)), page.limit + 1],
    );
    const { items, nextCursor } = pageOf(rows, page.limit);
    return ok({ items: items.map(jobDetails), nextCursor });
  }
}

/** The job number of a cursor. Only a forged cursor has more than 60 bits. */
function numberOf(id: string | null): string | null {
  return id && BigInt.asUintN(60, BigInt(`0x${id.replaceAll('-', '')}`)).toString();
}
