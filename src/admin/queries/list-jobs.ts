import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { idOf, pageOf, type Page, type PageQuery } from '../../http/validation/pagination';
import { Database } from '../../platform/database/database';
import { JOB_STATE, type JobState } from '../../platform/jobs/job-states';
import { ok, type Result } from '../../platform/result';
import type { JobView } from '../http/views/job.views';

/** What is in the queue, newest first; done jobs are gone. */
export class ListJobs extends Query<Result<Page<JobView>>> {
  constructor(
    readonly state: JobState | undefined,
    readonly task: string | undefined,
    readonly page: PageQuery,
  ) {
    super();
  }
}

/**
 * The worker's own tables: its public view leaves the payload out. A job's number is also given in
 * the form of an id, for the cursor.
 */
export const JOBS = `
  SELECT lpad(to_hex(j.id), 32, '0')::uuid AS id, j.id::text AS number, t.identifier AS task, ${JOB_STATE} AS state,
    attempts, max_attempts AS "maxAttempts", last_error AS error, key,
         run_at AS "runAt", created_at AS "createdAt", locked_at AS "startedAt", payload
    FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id`;

export interface JobRow extends Omit<JobView, 'command' | 'requestId'> {
  readonly number: string;
  readonly payload: { readonly command?: object; readonly requestId?: string };
}

@QueryHandler(ListJobs)
export class ListJobsHandler implements IQueryHandler<ListJobs> {
  constructor(private readonly database: Database) {}

  /** At the primary: who has just retried a job wants to see it. */
  async execute({ state, task, page }: ListJobs): Promise<Result<Page<JobView>>> {
    const rows = await this.database.query<JobRow>(
      `${JOBS}
        WHERE ($1::text IS NULL OR ${JOB_STATE} = $1) AND ($2::text IS NULL OR t.identifier = $2)
          AND ($3::bigint IS NULL OR j.id < $3)
        ORDER BY j.id DESC LIMIT $4`,
      [state ?? null, task ?? null, numberOf(idOf(page.cursor)), page.limit + 1],
    );
    const { items, nextCursor } = pageOf(rows, page.limit);
    return ok({ items: items.map(jobViewOf), nextCursor });
  }
}

/** The number behind a cursor; what fits into no bigint can only have been made up. */
function numberOf(id: string | null): string | null {
  return id && BigInt.asUintN(60, BigInt(`0x${id.replaceAll('-', '')}`)).toString();
}

export function jobViewOf({ number, payload, ...job }: JobRow): JobView {
  return { ...job, id: number, command: payload.command ?? {}, requestId: payload.requestId ?? null };
}
