import type { PoolClient } from 'pg';

/** How long a worker that has just begun may take to claim its name, before it counts as dead. */
const GRACE_SECONDS = 3;

/**
 * Only who holds the advisory lock of a name is alive; PostgreSQL frees it when the connection
 * ends, however the process ended.
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
 * Claims a worker's name for as long as the connection lives. A job stays locked by the worker that
 * fetched it; when that process is killed, graphile-worker alone would leave the job alone for four
 * hours.
 */
export async function claimWorkerName(client: PoolClient, name: string): Promise<void> {
  await client.query(CLAIM, [name]);
}

/**
 * A job that was replaced by its key while it ran has no attempts left, so that it is not tried
 * again: when its process is killed then, nobody takes it away, and it would look like one that has
 * failed for good. What has used its attempts, never failed, and was changed after it was made is
 * such a one; a job that kills its process each time is not, and stays to be seen.
 */
const FORGET_REPLACED = `
  DELETE FROM graphile_worker._private_jobs WHERE locked_by IS NULL AND attempts >= max_attempts
    AND last_error IS NULL AND key IS NULL AND updated_at > created_at`;

/**
 * Gives the jobs of workers that are no longer alive back to the queue.
 * @param own the names that this connection claims: it would be granted their locks once more
 */
export async function freeOrphanedJobs(client: PoolClient, own: readonly string[]): Promise<void> {
  const { rowCount } = await client.query(FREE_ORPHANS, [own]);
  if (rowCount) await client.query(FORGET_REPLACED);
}

/**
 * Gives the jobs of workers back that are known to be gone, although their connections may still
 * look alive to PostgreSQL.
 */
export async function freeJobsOf(client: PoolClient, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  await client.query(FREE, [names]);
  await client.query(FORGET_REPLACED);
}
