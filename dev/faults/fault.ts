import { setTimeout as pause } from 'node:timers/promises';
import { areReady } from './recovery';
import type { Environment } from './environment';
import type { SimulatedUsers } from './simulated-users';

/** A fault of the service or of something it depends on, and the checks while it lasts. */
export interface Fault {
  readonly name: string;
  /** Whether it is part of the short run. */
  readonly isShort?: boolean;
  /** Whether requests must fail: a fault without any effect proves nothing. */
  readonly causesErrors?: boolean;
  /** Whether the first instance is killed while it works. */
  readonly kills?: boolean;
  /** Whether an instance is stopped by SIGTERM. */
  readonly stops?: boolean;
  /** Whether statements become slow, so that a 503 may take up to 10 seconds. */
  readonly isSlow?: boolean;
  /** Injects the fault, checks and removes it. @returns the failed checks */
  readonly run: (environment: Environment, users: SimulatedUsers) => Promise<string[]>;
}

/** Starts or ends a fault. */
export type Action = (environment: Environment) => unknown;
type Check = (environment: Environment, users: SimulatedUsers) => Promise<string[]>;

const DETECTED_MS = 15_000;

/** Starts a fault, runs the check and ends the fault in any case. */
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

/** A fault that lasts for `ms` milliseconds. */
export const lastingFor = (
  ms: number,
  begin: Action,
  end: Action,
  look: Check = () => Promise.resolve([]),
): Fault['run'] =>
  during(begin, end, async (environment, users) => (await Promise.all([look(environment, users), pause(ms)]))[0]);

/** A fault that lasts for `ms` milliseconds, during which no instance may be ready. */
export const unready = (ms: number, begin: Action, end: Action): Fault['run'] =>
  lastingFor(ms, begin, end, async (environment) =>
    (await areReady(environment, false, DETECTED_MS)) ? [] : ['ready although the database is unavailable'],
  );
