import { setTimeout as pause } from 'node:timers/promises';
import { isLockConflict } from './database-errors';
import type { MigrationReport, MigrationWatch } from './migration-watch';

/** Milliseconds of the first pause; each further one is twice as long, up to the longest. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

/** A step of a migration could not get its locks for too long. */
export class MigrationBlocked extends Error {}

/** How a step is repeated. */
export interface Repetition {
  readonly watch: MigrationWatch;
  readonly report: MigrationReport;
  /** Milliseconds after which a step that is still blocked fails. */
  readonly patienceMs: number;
}

/**
 * Runs a step until it gets its locks. Between attempts it requests none, so that statements of the
 * service do not queue behind it, and waits for the transactions that blocked it.
 * @param attempt leaves nothing behind when it fails
 * @throws MigrationBlocked, and other errors of the step at once
 */
export async function untilUnblocked<T>(step: string, attempt: () => Promise<T>, by: Repetition): Promise<T> {
  const { watch, report, patienceMs } = by;
  const deadline = performance.now() + patienceMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await attempt();
    } catch (error) {
      if (!isLockConflict(error)) throw error;
      const blocked = `${step} is blocked by ${watch.blockers || 'transactions that have ended'}`;
      if (performance.now() >= deadline) throw new MigrationBlocked(blocked, { cause: error });
      report(`${blocked}. It is rolled back, delays nobody, and is repeated.`);
      await pause(pauseMs * (0.5 + Math.random() / 2));
      await watch.untilEnded(deadline);
    }
  }
}
