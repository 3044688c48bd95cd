import { lastingFor, unready, type Fault } from './fault';

/** What befalls the line to PostgreSQL. */
export const NETWORK_FAULTS: readonly Fault[] = [
  {
    name: 'PostgreSQL gone for 4 s',
    causesErrors: true,
    run: unready(
      4000,
      ({ database }) => database.close(),
      ({ database }) => database.listen(),
    ),
  },
  {
    name: 'PostgreSQL silent for 8 s',
    isShort: true,
    causesErrors: true,
    run: unready(
      8000,
      ({ database }) => database.freeze(),
      ({ database }) => database.thaw(),
    ),
  },
  {
    name: 'connections to PostgreSQL dead without a word, new ones work, twice in 10 s',
    causesErrors: true,
    run: lastingFor(
      5000,
      ({ database }) => database.blackhole(),
      ({ database }) => database.blackhole(),
    ),
  },
  {
    name: 'answers of PostgreSQL cut in the middle, 5 s',
    causesErrors: true,
    run: lastingFor(
      5000,
      ({ database }) => (database.breaksResponses = true),
      ({ database }) => (database.breaksResponses = false),
    ),
  },
  {
    name: 'answers to COMMIT lost, 10 s',
    causesErrors: true,
    run: lastingFor(
      10_000,
      ({ database }) => (database.breaksBefore = 'COMMIT\0'),
      ({ database }) => (database.breaksBefore = undefined),
    ),
  },
  {
    name: 'answers to whatever reads lost, 5 s',
    causesErrors: true,
    run: lastingFor(
      5000,
      ({ database }) => (database.breaksBefore = 'SELECT '),
      ({ database }) => (database.breaksBefore = undefined),
    ),
  },
  {
    name: 'PostgreSQL 100 ms away, 10 s',
    run: lastingFor(
      10_000,
      ({ database }) => (database.delayMs = 100),
      ({ database }) => (database.delayMs = 0),
    ),
  },
  {
    name: 'PostgreSQL trickles, 10 s',
    run: lastingFor(
      10_000,
      ({ database }) => (database.trickles = true),
      ({ database }) => (database.trickles = false),
    ),
  },
];
