import { JOB_STATE, type JobState } from '../../platform/jobs/job-states';

/** A job of the queue as operators see it. */
export interface JobDetails {
  readonly id: string;
  readonly task: string;
  readonly state: JobState;
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly error: string | null;
  readonly key: string | null;
  readonly runAt: Date;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly command: object;
  readonly requestId: string | null;
}

/** A row of SELECT_JOBS; its `id` has the form of a UUID, for the cursor. */
export interface JobRow extends Omit<JobDetails, 'command' | 'requestId'> {
  readonly number: string;
  readonly payload: { readonly command?: object; readonly requestId?: string };
}

/**
 * Reads the worker's private tables, because its public view omits the payload. A job's number is
 * also selected in the form of a UUID, for the cursor.
 */
export const SELECT_JOBS = `
  SELECT lpad(to_hex(j.id), 32, '0')::uuid AS id, j.id::text AS number, t.identifier AS task, ${JOB_STATE} AS state,
         attempts, max_attempts AS "maxAttempts", last_error AS error, key, run_at AS "runAt",
         created_at AS "createdAt", locked_at AS "startedAt", payload
    FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id`;

/** Replaces the payload by the command and the request id that it contains. */
export function jobDetails({ number, payload, ...job }: JobRow): JobDetails {
  return { ...job, id: number, command: payload.command ?? {}, requestId: payload.requestId ?? null };
}
