import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { idBefore, pageOf, type Page, type PageRequest } from '../../platform/pagination';
import { Database } from '../../platform/database/database';
import { JOB_STATE, type JobState } from '../../platform/jobs/job-states';
import { ok, type Result } from '../../platform/result';
import { jobDetails, SELECT_JOBS, type JobRow } from '../data/job-select';
import type { JobView } from '../http/views/job.views';

/** Filters, combined with AND. */
export interface JobFilter {
  /** The number of the job. */
  readonly id?: string;
  readonly state?: JobState;
  readonly task?: string;
}

/** Lists the jobs of the queue, newest first. Jobs that succeeded are removed from it. */
export class ListJobs extends Query<Result<Page<JobView>>> {
  constructor(
    readonly filter: JobFilter,
    readonly page: PageRequest,
  ) {
    super();
  }
}

@QueryHandler(ListJobs)
export class ListJobsHandler implements IQueryHandler<ListJobs> {
  constructor(private readonly database: Database) {}

  /** Reads the primary, so that an operator sees the effect of a retry at once. */
  async execute({ filter, page }: ListJobs): Promise<Result<Page<JobView>>> {
    const filters: [string, unknown][] = [
      ['j.id =', filter.id],
      [`${JOB_STATE} =`, filter.state],
      ['t.identifier =', filter.task],
      ['j.id <', numberOf(idBefore(page.cursor))],
    ];
    const given = filters.filter(([, value]) => value !== undefined);
    const conditions = given.map(([condition], index) => `${condition} $${index + 2}`);
    const sql = `${SELECT_JOBS} WHERE ${conditions.join(' AND ')} ORDER BY j.id DESC LIMIT $1`;
    const rows = await this.database.query<JobRow>(sql, [page.limit + 1, ...given.map(([, value]) => value)]);
    const { items, nextCursor } = pageOf(rows, page.limit);
    return ok({ items: items.map(jobDetails), nextCursor });
  }
}

/** The job number of a cursor, at most 60 bits: more have the first page and a forged cursor. */
const numberOf = (id: string): string => BigInt.asUintN(60, BigInt(`0x${id.replaceAll('-', '')}`)).toString();
