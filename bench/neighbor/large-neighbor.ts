import { SeededRandom } from '../../dev/stripe/seeded-random';
import type { BenchRun } from '../bench-run';
import { interleave } from '../interleaved-rounds';
import { loadPopulation } from '../population/load-population';
import { Population } from '../population/tenant-population';
import { atMost } from '../report';
import { startServer } from '../servers';
import { pageTable } from './page-table';
import { inTurns } from './rounds-in-turns';
import { TenantReaders } from './tenant-requests';

const SMALL_MEMBERS = 10;
/** Requests per second of the small tenants together, and of the tenant that is the load. */
const RATE = 100;
const LOAD = 25;
/** Small tenants that send, an odd number, so that each asks for all pages in turn. */
const READERS = 499;
/**
 * The sides of a round take turns, so that a slow minute of the machine counts for all of them.
 * Each has so many turns, of so many seconds.
 */
const TURNS = { full: 6, quick: 2 };
const SECONDS = 4;
/**
 * Requests per second of each side at the same time: so many that all connections to PostgreSQL
 * plan each statement. Those that only collisions need would be slow at first.
 */
const WARM_UP = { rate: 200, seconds: 10 };
/** A p99 varies more than a median, so there are more rounds than of other work. */
const ROUNDS = 15;
/** The p99 of the small tenants may grow to this multiple. */
const LIMIT = 1.2;

/** `npm run bench -- neighbor`: whether a large tenant slows the small ones down. */
export async function measureNeighbor(run: BenchRun): Promise<void> {
  const { server: databases, options, report, say } = run;
  const [large, small] = options.isQuick ? [100_000, 1000] : [1_000_000, 10_000];
  const population = new Population([large, ...Array<number>(small).fill(SMALL_MEMBERS)]);
  const { settings, superuser } = await databases.create('neighbor');
  await loadPopulation(superuser, population, say);
  const server = await startServer('service', { ...settings, WORKER: 'off' }, databases.folder);
  const others = await TenantReaders.of(server.url, population, numbersFrom(3, Math.min(small - 2, READERS)));
  const [big, control] = await Promise.all([1, 2].map((tenant) => TenantReaders.of(server.url, population, [tenant])));
  const all = [others, big, control];
  await Promise.all(all.map((readers) => readers.latencies(WARM_UP.rate, WARM_UP.seconds, new SeededRandom(0))));
  const turns = options.isQuick ? TURNS.quick : TURNS.full;
  const count = options.isQuick ? options.rounds : ROUNDS;
  const measured = (seed: number) => others.latencies(RATE, SECONDS, new SeededRandom(seed));
  const beside = (readers: TenantReaders) => async (seed: number) => {
    const end = new AbortController();
    const load = readers.load(LOAD, end.signal);
    const [latencies] = await Promise.all([measured(seed).finally(() => end.abort()), load]);
    return latencies;
  };
  const round = inTurns({ large: beside(big), small: beside(control), alone: measured }, turns);
  const rounds = await interleave('p99 of small tenants', round, { rounds: count, say });
  report.tables.push(
    await pageTable({ members: large, readers: big }, { members: SMALL_MEMBERS, readers: control }, [
      `Above, the small tenants send ${RATE} requests a second together.`,
      `There are ${count} rounds, in each of which the sides take turns of ${SECONDS} seconds, ${turns} for each side.`,
      'In a turn, the requests of the small tenants arrive at the same times with and without the other tenant.',
    ]),
  );
  for (const readers of all) readers.close();
  await server.stop();
  for (const [side, limit] of [['large', LIMIT] as const, ['small', undefined] as const]) {
    const ratio = rounds.ratio(side, 'alone');
    const members = side === 'large' ? large : SMALL_MEMBERS;
    report.add({
      work: `p99 of small tenants while a tenant of ${members} members sends ${LOAD} requests a second`,
      measured: `${rounds.median(side).toFixed(1)} ms`,
      reference: `${rounds.median('alone').toFixed(1)} ms without`,
      ratio,
      disturbed: rounds.disturbed,
      ...(limit !== undefined && atMost(limit, ratio.median, ' ×')),
    });
  }
}

const numbersFrom = (first: number, count: number) => Array.from({ length: count }, (_, n) => first + n);
