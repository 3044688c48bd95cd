import { Agent } from 'node:http';
import { SeededRandom } from '../../dev/stripe/seeded-random';
import type { BenchRun } from '../bench-run';
import { interleave } from '../interleaved-rounds';
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
/**
 * The sides of a round take turns, so that a slow minute of the machine counts for all of them: each
 * has so many turns, of so many seconds.
 */
const TURNS = { full: 6, quick: 2 };
const SECONDS = 4;
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
  for (const readers of [others, big, control]) await readers.latencies(RATE, options.warmUpSeconds);
  const turns = options.isQuick ? TURNS.quick : TURNS.full;
  const count = options.isQuick ? options.rounds : ROUNDS;
  let seed = 0;
  const round = async () => {
    const sides = { large: [] as number[], small: [] as number[], alone: [] as number[] };
    for (let turn = 0; turn < turns; turn++) {
      seed++; // the requests of a turn arrive at the same times on all sides
      const measured = () => others.latencies(RATE, SECONDS, new SeededRandom(seed));
      sides.large.push(...(await beside(big, measured)));
      sides.small.push(...(await beside(control, measured)));
      sides.alone.push(...(await measured()));
    }
    return {
      large: percentile(sides.large, 99),
      small: percentile(sides.small, 99),
      alone: percentile(sides.alone, 99),
    };
  };
  const rounds = await interleave('p99 of small tenants', round, { rounds: count, say });
  report.tables.push(await pageTable(big, control, large, `There are ${count} rounds of ${turns * SECONDS} seconds.`));
  for (const readers of [others, big, control]) readers.close();
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

/** What is measured while another tenant sends. */
async function beside(readers: TenantReaders, measured: () => Promise<number[]>): Promise<number[]> {
  const load = readers.latencies(LOAD, SECONDS);
  const latencies = await measured();
  await load;
  return latencies;
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
