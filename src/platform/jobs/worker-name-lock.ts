import type { PoolClient } from 'pg';

/** Seconds that a new worker may take to claim its name before it counts as dead. */
const GRACE_SECONDS = 3;

/**
 * A worker is alive while it holds the advisory lock of its name. PostgreSQL releases the lock when
 * the connection ends, however the process ended.
 */
const CLAIM = 'SELECT pg_advisory_lock(hashtextextended($1, 0))';
const FREE = 'SELECT graphile_worker.force_unlock_workers($1::text[])';
const FREE_ORPHANS = `
  SELECT graphile_worker.force_unlock_workers(array_agg(locked_by))
    FROM (SELECT DISTINCT locked_by FROM graphile_worker._private_jobs
           WHERE locked_by <> ALL($1::text[]) AND locked_at < now() - make_interval(secs => ${GRACE_SECONDS})) holders
   WHERE pg_try_advisory_xact_lock(hashtextextended(locked_by, 0))
  HAVING count(*) > 0`;

/**
 * Claims a worker's name for the lifetime of the connection. Jobs stay locked by the worker that
 * fetched them; graphile-worker alone would release the jobs of a killed process after four hours.
 */
export async function claimWorkerName(client: PoolClient, name: string): Promise<void> {
  await client.query(CLAIM, [name]);
}

/**
 * A job that was replaced by its key while it ran, or after its last attempt, has lost the key and
 * has no attempts left. Its row would stay and look like a failed job, although the newer one does
 * its work. A job that kills its process each time does not match and stays visible.
 */
const FORGET_REPLACED = `
  DELETE FROM graphile_worker._private_jobs WHERE locked_by IS NULL AND attempts >= max_attempts AND key IS NULL
    AND (payload->>'isKeyed' = 'true' OR last_error IS NULL AND updated_at > created_at)`;

/** Deletes the rows of jobs that others have replaced and that are not running. */
export async function forgetReplacedJobs(client: PoolClient): Promise<void> {
  await client.query(FORGET_REPLACED);
}

/**
 * Returns the jobs of dead workers to the queue.
 * @param own the names that this connection claims: PostgreSQL would grant it their locks again
 */
export async function freeOrphanedJobs(client: PoolClient, own: readonly string[]): Promise<void> {
  await free(client, FREE_ORPHANS, own);
}

/**
 * Returns the jobs of workers that are known to be gone, even if PostgreSQL still holds their
 * connections.
 */
export async function freeJobsOf(client: PoolClient, names: readonly string[]): Promise<void> {
  if (names.length > 0) await free(client, FREE, names);
}

async function free(client: PoolClient, sql: string, names: readonly string[]): Promise<void> {
  const { rowCount } = await client.query(sql, [names]);
  if (rowCount) await forgetReplacedJobs(client);
}
