/** What a job waits for besides the database: the mail server, Stripe, or nothing. */
export const JOB_KINDS = ['mail', 'processor', 'database'] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/**
 * Concurrent jobs of each kind and process. The kinds do not share slots, so a mail server that
 * hangs delays only email.
 */
export const JOBS_AT_A_TIME: Readonly<Record<JobKind, number>> = { mail: 4, processor: 3, database: 2 };
