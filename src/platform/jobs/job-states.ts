/**
 * The states of a job: not tried yet, running, failed and to be retried, out of attempts. Finished
 * jobs are deleted.
 */
export const JOB_STATES = ['waiting', 'running', 'retrying', 'dead'] as const;
export type JobState = (typeof JOB_STATES)[number];

/** The state of a row of the queue, as SQL. */
export const JOB_STATE = `
  CASE WHEN locked_at IS NOT NULL THEN 'running' WHEN attempts >= max_attempts THEN 'dead'
       WHEN attempts > 0 THEN 'retrying' ELSE 'waiting' END`;
