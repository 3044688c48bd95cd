import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import {
  BLOCKING_TRANSACTIONS,
  describeSession,
  MIGRATING,
  RUNNING_TRANSACTIONS,
  type BlockingTransaction,
} from './blocking-transactions';

/** Takes a line about what a migration does or waits for. */
export type MigrationReport = (line: string) => void;

/** Milliseconds after which a statement is looked at; each further look is twice as late. */
const FIRST_LOOK_MS = 100;
const LATEST_LOOK_MS = 5000;

/** Milliseconds between lines about a statement, or about a transaction that is waited for. */
const REPORT_MS = 10_000;

/** Milliseconds between checks of whether a transaction has ended. */
const CHECK_MS = 500;

/** How many transactions are named. */
const NAMED = 3;

const PROGRESS = `
  SELECT p.phase, round(100.0 * p.blocks_done / nullif(p.blocks_total, 0)) AS percent
    FROM pg_stat_progress_create_index p JOIN pg_stat_activity m USING (pid)
   WHERE m.application_name = '${MIGRATING}' AND m.datname = current_database()`;

/** Sees on a second connection what the migrating one waits for, which does not know it itself. */
export class MigrationWatch {
  private blocking: readonly BlockingTransaction[] = [];

  constructor(
    private readonly source: DataSource,
    private readonly report: MigrationReport,
  ) {}

  /** The transactions that the last statement waited for, in words; empty if none was seen. */
  get blockers(): string {
    return this.blocking.slice(0, NAMED).map(describeSession).join('; ');
  }

  /** Runs a statement, remembers what it waits for, and reports it if it takes long. */
  async during<T>(what: string, statement: () => Promise<T>): Promise<T> {
    const ended = new AbortController();
    this.blocking = [];
    const looks = this.lookUntil(ended.signal, what);
    try {
      return await statement();
    } finally {
      ended.abort();
      await looks;
    }
  }

  /** Waits until the transactions that were waited for have ended, or until a time has passed. */
  async untilEnded(deadline: number): Promise<void> {
    const transactions = this.blocking.flatMap(({ transaction }) => transaction ?? []);
    for (let reported = performance.now(); performance.now() < deadline; await pause(CHECK_MS)) {
      if (transactions.length === 0) return;
      const running = await this.source.query<unknown[]>(RUNNING_TRANSACTIONS, [transactions]);
      if (running.length === 0) return;
      if (performance.now() - reported < REPORT_MS) continue;
      reported = performance.now();
      this.report(`Still waiting for ${this.blockers}`);
    }
  }

  private async lookUntil(signal: AbortSignal, what: string): Promise<void> {
    const start = performance.now();
    let reported = start;
    for (let delay = FIRST_LOOK_MS; ; delay = Math.min(2 * delay, LATEST_LOOK_MS)) {
      await pause(delay, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const seen = await this.source.query<BlockingTransaction[]>(BLOCKING_TRANSACTIONS).catch(() => []);
      if (seen.length > 0 || !signal.aborted) this.blocking = seen;
      if (performance.now() - reported < REPORT_MS || signal.aborted) continue;
      reported = performance.now();
      this.report(`${what}: ${Math.round((reported - start) / 1000)} s${await this.progress()}`);
    }
  }

  private async progress(): Promise<string> {
    if (this.blocking.length > 0) return `, waiting for ${this.blockers}`;
    const [index] = await this.source.query<{ phase: string; percent: string | null }[]>(PROGRESS).catch(() => []);
    return index ? `, ${index.phase}${index.percent ? ` ${index.percent} %` : ''}` : '';
  }
}
