/**
 * What the work of a job waits for besides the database: the mail server, the payment processor, or
 * nothing.
 */
export const JOB_KINDS = ['mail', 'processor', 'database'] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/**
 * Jobs at a time of each kind and process: whatever one kind waits for, the others have their own.
 */
export const JOBS_AT_A_TIME: Readonly<Record<JobKind, number>> = { mail: 4, processor: 3, database: 2 };
