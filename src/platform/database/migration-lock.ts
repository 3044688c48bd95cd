import { setTimeout as pause } from 'node:timers/promises';
import type { QueryRunner } from 'typeorm';
import { describeSession, SESSION_COLUMNS, type DatabaseSession } from './blocking-transactions';
import type { MigrationReport } from './migration-watch';

/** An arbitrary number, the same for every process that migrates this service. */
const LOCK = '7310552118';

/** Milliseconds between attempts to get the lock, and between lines about who has it. */
const PAUSE_MS = 200;
const REPORT_MS = 30_000;

const TRY = 'SELECT pg_try_advisory_lock($1) AS locked';

const HOLDER = `
  SELECT l.pid, ${SESSION_COLUMNS} FROM pg_locks l JOIN pg_stat_activity a USING (pid)
   WHERE l.locktype = 'advisory' AND l.granted AND a.datname = current_database()
     AND (l.classid::bigint << 32) + l.objid::bigint = $1 AND l.objsubid = 1`;

/**
 * Makes this process the only one that migrates: its connection keeps the lock until it is closed.
 * It polls instead of waiting in a statement: CREATE INDEX CONCURRENTLY waits for every statement
 * that began before it.
 */
export async function untilLocked(runner: QueryRunner, report: MigrationReport): Promise<void> {
  for (let reported = -Infinity; ; await pause(PAUSE_MS)) {
    const [{ locked }] = (await runner.query(TRY, [LOCK])) as { locked: boolean }[];
    if (locked) return;
    if (performance.now() - reported < REPORT_MS) continue;
    const [holder] = (await runner.query(HOLDER, [LOCK])) as (DatabaseSession | undefined)[];
    if (!holder) continue;
    reported = performance.now();
    report(`Waiting for another process that migrates this database: ${describeSession(holder)}`);
  }
}
