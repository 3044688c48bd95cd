import { Agent } from 'node:http';
import { SeededRandom } from '../../dev/stripe/seeded-random';
import type { BenchRun } from '../bench-run';
import { interleave } from '../interleaved-rounds';
import { timesOnSchedule } from '../open-loop';
import { loadPopulation } from '../population/load-population';
import { Population } from '../population/tenant-population';
import { atMost, type TextTable } from '../report';
import { startServer } from '../servers';
import { median, percentile } from '../statistics';
import { PAGES, TenantReaders } from './tenant-requests';

const SMALL_MEMBERS = 10;
/** Requests per second of the small tenants together, and of the tenant that is the load. */
const RATE = 100;
const LOAD = 25;
/** Small tenants that send, an odd number, so that each asks for all pages in turn. */
const READERS = 499;
const SECONDS = { full: 20, quick: 4 };
/** A p99 varies more than a median, so there are more rounds than of other work. */
const ROUNDS = 9;
/** The p99 of the small tenants may grow to this multiple. */
const LIMIT = 1.2;
const PAGE_SAMPLES = 50;

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
  const seconds = options.isQuick ? SECONDS.quick : SECONDS.full;
  for (const readers of [others, big, control]) await timesOnSchedule(readers.send, RATE, options.warmUpSeconds);
  /** The requests arrive at the same times on all sides of a round. */
  const p99 = async (attempt: number) =>
    percentile(await timesOnSchedule(others.send, RATE, seconds, new SeededRandom(attempt)), 99);
  const beside = (readers: TenantReaders) => async (attempt: number) => {
    const load = timesOnSchedule(readers.send, LOAD, seconds);
    const measured = await p99(attempt);
    await load;
    return measured;
  };
  const sides = { large: beside(big), small: beside(control), alone: p99 };
  const count = options.isQuick ? options.rounds : ROUNDS;
  const rounds = await interleave('p99 of small tenants', sides, { rounds: count, say });
  report.tables.push(await pageTable(big, control, large, `There are ${count} rounds of ${seconds} seconds.`));
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

/**
 * The median latency of each page for the large tenant and for a small one.
 * @param rounds how often and how long the load was measured before
 */
async function pageTable(
  big: TenantReaders,
  small: TenantReaders,
  members: number,
  rounds: string,
): Promise<TextTable> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const rows: string[][] = [];
  for (const page of PAGES) {
    const times = { big: [] as number[], small: [] as number[] };
    for (let n = 0; n < PAGE_SAMPLES; n++) {
      times.big.push(await big.read(agent, n, page));
      times.small.push(await small.read(agent, n, page));
    }
    rows.push([page, median(times.big).toFixed(2), median(times.small).toFixed(2)]);
  }
  agent.destroy();
  return {
    title: 'Pages of the tenants',
    notes: [
      'Medians of one sequential client, in milliseconds.',
      `Above, the small tenants send ${RATE} requests a second together.`,
      rounds,
      'Within a round, their requests arrive at the same times with and without the other tenant.',
    ],
    head: ['page', `${members} members`, `${SMALL_MEMBERS} members`],
    rows,
  };
}

const numbersFrom = (first: number, count: number) => Array.from({ length: count }, (_, n) => first + n);
