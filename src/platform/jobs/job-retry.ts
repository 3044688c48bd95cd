import type { JobHelpers } from 'graphile-worker';
import type { Result } from '../result';

/**
 * Attempts at a job. After the last one it is dead: it stays in the queue, with its error, for an
 * operator. graphile-worker waits e^n seconds after attempt n, e^10 (6 hours) at most: 3 seconds
 * after the first, 20 after the third, 40 minutes after the eighth. The last attempt is made about
 * 4 days after the first.
 */
export const MAX_JOB_ATTEMPTS = 25;

const SPEND_ATTEMPTS = `
  UPDATE graphile_worker._private_jobs SET attempts = max_attempts, last_error = $2 WHERE id = $1`;

/**
 * Turns an Err into the exception after which graphile-worker retries a job; `job-worker.ts` calls
 * it. Its message is the error that operators see.
 */
export function throwToRetry(result: Result<unknown, string>): void {
  if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.message}`);
}

/** Makes the running attempt the last one, because another would fail as well. */
export async function preventRetry(helpers: JobHelpers, error: Error): Promise<void> {
  await helpers.query(SPEND_ATTEMPTS, [helpers.job.id, error.message]);
}
