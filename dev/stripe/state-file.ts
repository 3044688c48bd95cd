import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SubscriptionLifecycle } from './subscription-lifecycle';
import type { State } from './state';

const TABLES = [
  'products',
  'prices',
  'customers',
  'subscriptions',
  'invoices',
  'sessions',
  'portals',
  'events',
] as const;
const DEBOUNCE_MS = 200;

type Saved = Record<(typeof TABLES)[number], never[]> & { version: 1; aheadMs: number; randomPosition: number };

/** Keeps the state in a file over restarts. */
export class StateFile {
  private timer?: NodeJS.Timeout;

  /** @param file none: nothing is kept */
  constructor(
    private readonly state: State,
    private readonly lifecycle: SubscriptionLifecycle,
    private readonly file: string | undefined,
  ) {}

  /** Fills the state: from the file, else with what the service sells. */
  load(): void {
    const saved = this.read();
    if (!saved) return this.state.stock();
    this.state.aheadMs = saved.aheadMs;
    this.state.random.position = saved.randomPosition;
    for (const table of TABLES) for (const row of saved[table]) this.state[table].add(row);
    for (const session of this.state.sessions.all()) this.state.scheduler.schedule(session.expiresAt, session);
    for (const subscription of this.state.subscriptions.all()) this.lifecycle.scheduleNext(subscription, 0);
  }

  /** Writes soon; what changes until then goes with it. */
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
      JSON.stringify({ version: 1, aheadMs, randomPosition: random.position, ...tables }),
      { mode: 0o600 },
    );
    renameSync(`${this.file}.new`, this.file); // whoever reads it finds the old state or the new one, never half of it
  }

  /**
   * A file that cannot be read is set aside: local mode starts with nothing rather than not at all.
   */
  private read(): Saved | undefined {
    if (!this.file || !existsSync(this.file)) return undefined;
    try {
      const saved = JSON.parse(readFileSync(this.file, 'utf8')) as Saved;
      if (saved.version === 1 && TABLES.every((table) => Array.isArray(saved[table]))) return saved;
    } catch {
      // told by its name
    }
    renameSync(this.file, `${this.file}.broken`);
    return undefined;
  }
}
