/**
 * What a job can be doing: never tried, being worked, failed before and to be tried again, out of
 * attempts. Done jobs are gone.
 */
export const JOB_STATES = ['waiting', 'running', 'retrying', 'dead'] as const;
export type JobState = (typeof JOB_STATES)[number];

/** The state of a row of the queue, in SQL. */
export const JOB_STATE = `CASE WHEN locked_at IS NOT NULL THEN 'running' WHEN attempts >= max_attempts THEN 'dead' WHEN attempts > 0 THEN 'retrying' ELSE 'waiting' END`;

/** How many jobs are in each state that any is in. */
export const JOBS_BY_STATE = `SELECT ${JOB_STATE} AS state, count(*)::int AS jobs FROM graphile_worker.jobs GROUP BY 1`;
