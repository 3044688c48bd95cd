import { setTimeout as pause } from 'node:timers/promises';
import type { Environment } from './environment';
import { during, lastingFor, unready, type Fault } from './fault';

const ROUNDS = 6;
/** Jobs that wait when it begins. */
const JOBS = 40;
const TRICKLE_MS = 4000;

/** Faults of the network between the service and PostgreSQL. */
export const NETWORK_FAULTS: readonly Fault[] = [
  {
    name: 'PostgreSQL unreachable for 4 s',
    causesErrors: true,
    run: unready(
      4000,
      ({ database }) => database.close(),
      ({ database }) => database.listen(),
    ),
  },
  {
    name: 'PostgreSQL unresponsive for 8 s',
    isShort: true,
    causesErrors: true,
    run: unready(
      8000,
      ({ database }) => database.freeze(),
      ({ database }) => database.thaw(),
    ),
  },
  {
    name: 'open connections to PostgreSQL blackholed, twice in 10 s',
    causesErrors: true,
    run: lastingFor(
      5000,
      ({ database }) => database.blackhole(),
      ({ database }) => database.blackhole(),
    ),
  },
  {
    name: 'responses of PostgreSQL cut off, 5 s',
    causesErrors: true,
    run: lastingFor(
      5000,
      ({ database }) => (database.breaksResponses = true),
      ({ database }) => (database.breaksResponses = false),
    ),
  },
  {
    name: 'responses to COMMIT lost, 10 s',
    causesErrors: true,
    run: lastingFor(
      10_000,
      ({ database }) => (database.breaksBefore = 'COMMIT\0'),
      ({ database }) => (database.breaksBefore = undefined),
    ),
  },
  {
    name: 'responses to SELECT lost, 5 s',
    causesErrors: true,
    run: lastingFor(
      5000,
      ({ database }) => (database.breaksBefore = 'SELECT '),
      ({ database }) => (database.breaksBefore = undefined),
    ),
  },
  {
    name: 'PostgreSQL with 100 ms latency, 10 s',
    run: lastingFor(
      10_000,
      ({ database }) => (database.delayMs = 100),
      ({ database }) => (database.delayMs = 0),
    ),
  },
  {
    name: 'responses of PostgreSQL trickle, 10 s',
    run: lastingFor(
      10_000,
      ({ database }) => (database.trickle = { bytes: 64, pauseMs: 5 }),
      ({ database }) => (database.trickle = undefined),
    ),
  },
  {
    name: 'responses of PostgreSQL trickle so slowly that many are overdue, 4 s, six times',
    causesErrors: true,
    isSlow: true,
    run: during(
      () => undefined,
      ({ database }) => (database.trickle = undefined),
      trickleRepeatedly,
    ),
  },
];

/** Each time, some jobs are fetched by a worker that does not learn of it. */
async function trickleRepeatedly({ database, queue }: Environment): Promise<string[]> {
  for (let round = 0; round < ROUNDS; round++) {
    await queue.add('database', JOBS);
    database.trickle = { bytes: 4, pauseMs: 10 };
    await pause(TRICKLE_MS);
    database.trickle = undefined;
    await pause(TRICKLE_MS);
  }
  return [];
}
