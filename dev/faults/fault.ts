import { setTimeout as pause } from 'node:timers/promises';
import { areReady } from './recovery';
import type { Stage } from './stage';
import type { Visitors } from './visitors';

/** What befalls the service, and what was wrong meanwhile. */
export interface Fault {
  readonly name: string;
  /** Whether it belongs to the short run. */
  readonly isShort?: boolean;
  /** Whether requests must have been refused: a fault that nobody notices proves nothing. */
  readonly isFelt?: boolean;
  /** Whether the first instance is killed in the middle of what it does. */
  readonly kills?: boolean;
  /** Whether an instance is stopped by SIGTERM. */
  readonly stops?: boolean;
  /** @returns once it is over, with what must not have happened */
  readonly befall: (stage: Stage, visitors: Visitors) => Promise<string[]>;
}

/** Begins or ends a fault. */
export type Deed = (stage: Stage) => unknown;
type Look = (stage: Stage, visitors: Visitors) => Promise<string[]>;

const NOTICED_MS = 15_000;

/** Begins, is looked at, and is undone whatever happens. */
export const meanwhile =
  (begin: Deed, end: Deed, look: Look): Fault['befall'] =>
  async (stage, visitors) => {
    await begin(stage);
    try {
      return await look(stage, visitors);
    } finally {
      await end(stage);
    }
  };

/** Lasts some milliseconds. */
export const lasting = (ms: number, begin: Deed, end: Deed, look: Look = () => Promise.resolve([])): Fault['befall'] =>
  meanwhile(begin, end, async (stage, visitors) => (await Promise.all([look(stage, visitors), pause(ms)]))[0]);

/** The same, and nobody is ready meanwhile. */
export const unready = (ms: number, begin: Deed, end: Deed): Fault['befall'] =>
  lasting(ms, begin, end, async (stage) =>
    (await areReady(stage, false, NOTICED_MS)) ? [] : ['ready although the database is away'],
  );
