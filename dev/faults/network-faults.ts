import { lastingFor, unready, type Fault } from './fault';

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
      ({ database }) => (database.trickles = true),
      ({ database }) => (database.trickles = false),
    ),
  },
];
