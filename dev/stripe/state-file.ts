import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SubscriptionLifecycle } from './subscription-lifecycle';
import { upgradedRows } from './state-migration';
import type { State } from './state';

const TABLES = [
  'products',
  'prices',
  'customers',
  'subscriptions',
  'invoices',
  'sessions',
  'portals',
  'schedules',
  'coupons',
  'promotionCodes',
  'discounts',
  'events',
] as const;
const DEBOUNCE_MS = 200;

/** A table is missing in a file of a version that did not have it. */
type Saved = Partial<Record<(typeof TABLES)[number], never[]>> & {
  version: number;
  aheadMs: number;
  randomPosition: number;
};
const VERSION = 2;

/** Saves the state in a file, so that it survives restarts. */
export class StateFile {
  private timer?: NodeJS.Timeout;

  /** @param file without it nothing is saved */
  constructor(
    private readonly state: State,
    private readonly lifecycle: SubscriptionLifecycle,
    private readonly file: string | undefined,
  ) {}

  /** Loads the state from the file, and creates the products and prices that are missing. */
  load(): void {
    const saved = this.read();
    if (!saved) return this.state.stock();
    this.state.aheadMs = saved.aheadMs;
    this.state.random.position = saved.randomPosition;
    for (const table of TABLES)
      for (const row of upgradedRows(table, saved[table] ?? [])) this.state[table].add(row as never);
    this.state.stock();
    for (const session of this.state.sessions.all()) this.state.scheduler.schedule(session.expiresAt, session);
    for (const subscription of this.state.subscriptions.all()) this.lifecycle.scheduleNext(subscription, 0);
  }

  /** Schedules a save. Later changes are included until it runs. */
  changed(): void {
    if (this.file) this.timer ??= setTimeout(() => this.save(), DEBOUNCE_MS).unref();
  }

  save(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.file) return;
    const { aheadMs, random } = this.state;
    const tables = Object.fromEntries(TABLES.map((table) => [table, this.state[table].all()]));
    mkdirSync(dirname(this.file), { recursive: true });
    writeFileSync(
      `${this.file}.new`,
      JSON.stringify({ version: VERSION, aheadMs, randomPosition: random.position, ...tables }),
      { mode: 0o600 },
    );
    renameSync(`${this.file}.new`, this.file); // atomic: a reader finds the old state or the new one
  }

  /**
   * Renames a file that cannot be read, so that local mode starts with an empty state.
   */
  private read(): Saved | undefined {
    if (!this.file || !existsSync(this.file)) return undefined;
    try {
      const saved = JSON.parse(readFileSync(this.file, 'utf8')) as Saved;
      if (saved.version <= VERSION && TABLES.every((table) => Array.isArray(saved[table] ?? []))) return saved;
    } catch {
      // the name of the renamed file shows it
    }
    renameSync(this.file, `${this.file}.broken`);
    return undefined;
  }
}
