import { setTimeout as pause } from 'node:timers/promises';
import { areReady } from './recovery';
import type { Environment } from './environment';
import type { SimulatedUsers } from './simulated-users';

/** What befalls the service, and what was wrong meanwhile. */
export interface Fault {
  readonly name: string;
  /** Whether it belongs to the short run. */
  readonly isShort?: boolean;
  /** Whether requests must have been refused: a fault that nobody notices proves nothing. */
  readonly causesErrors?: boolean;
  /** Whether the first instance is killed in the middle of what it does. */
  readonly kills?: boolean;
  /** Whether an instance is stopped by SIGTERM. */
  readonly stops?: boolean;
  /** @returns once it is over, with what must not have happened */
  readonly run: (environment: Environment, users: SimulatedUsers) => Promise<string[]>;
}

/** Begins or ends a fault. */
export type Action = (environment: Environment) => unknown;
type Check = (environment: Environment, users: SimulatedUsers) => Promise<string[]>;

const NOTICED_MS = 15_000;

/** Begins, is looked at, and is undone whatever happens. */
export const during =
  (begin: Action, end: Action, look: Check): Fault['run'] =>
  async (environment, users) => {
    await begin(environment);
    try {
      return await look(environment, users);
    } finally {
      await end(environment);
    }
  };

/** Lasts some milliseconds. */
export const lastingFor = (
  ms: number,
  begin: Action,
  end: Action,
  look: Check = () => Promise.resolve([]),
): Fault['run'] =>
  during(begin, end, async (environment, users) => (await Promise.all([look(environment, users), pause(ms)]))[0]);

/** The same, and nobody is ready meanwhile. */
export const unready = (ms: number, begin: Action, end: Action): Fault['run'] =>
  lastingFor(ms, begin, end, async (environment) =>
    (await areReady(environment, false, NOTICED_MS)) ? [] : ['ready although the database is away'],
  );
