import type { TestApp } from './app';
import { eventually } from './eventually';

const JOBS = 'SELECT FROM graphile_worker._private_jobs';

/** Waits until no job is due. Jobs may wait for a later time. */
export const untilNoJobIsDue = (t: TestApp) =>
  eventually(
    async () => (await t.database.query(`${JOBS} WHERE run_at <= now()`)).length === 0 || undefined,
    'a queue without due jobs',
  );

/** Security emails about what a limit has postponed, which wait for a minute or longer. */
const POSTPONED = `key LIKE 'postponed-notices:%' AND run_at > now()`;

/** Waits until every job is done, except for what the limits of emails have postponed. */
export const untilNoJobIsLeft = (t: TestApp) =>
  eventually(
    async () => (await t.database.query(`${JOBS} WHERE (${POSTPONED}) IS NOT TRUE`)).length === 0 || undefined,
    'an empty queue',
  );
