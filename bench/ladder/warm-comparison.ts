import type { BenchRun } from '../bench-run';
import { interleave } from '../interleaved-rounds';
import { atLeast } from '../report';
import { startServer, type BenchServer } from '../servers';
import { costOf, type StatementCost } from '../statement-statistics';
import { median } from '../statistics';
import { ACTIVE, OperationClient, OPERATIONS, type Operation } from './operation-client';
import type { Rung } from './ladder-rung';

/** Requests of a round; few sign-ins, because each takes a password hash. */
const REQUESTS: Readonly<Record<Operation, number>> = { me: 500, members: 500, refresh: 500, login: 40 };
/** Requests until another rung has its turn: what slows the machine down slows all rungs down. */
const TURN = 10;
/**
 * Requests that compile the code and bring pages to memory. Each active account refreshes once, and
 * once more in the rounds: the pages are in memory, and the refresh is the first since a
 * checkpoint.
 */
const WARM_UP: Readonly<Record<Operation, number>> = { me: 1000, members: 1000, refresh: ACTIVE, login: 40 };
/** The p50 of the lowest rung may at most be divided by this. */
const LEAST = 0.9;

/** The costs of an operation on a rung. */
export interface RungCost {
  readonly rung: Rung;
  readonly operation: Operation;
  readonly cost: StatementCost;
}

/** A service on the database of a rung, and its client. */
interface Climber {
  readonly rung: Rung;
  readonly server: BenchServer;
  readonly client: OperationClient;
}

/**
 * Compares the median latency of each operation on all rungs, in interleaved rounds, and counts
 * what PostgreSQL does for it.
 */
export async function compareWarm(run: BenchRun, rungs: readonly Rung[]): Promise<RungCost[]> {
  const climbers = await Promise.all(rungs.map((rung) => climb(run, rung, ACTIVE)));
  for (const operation of OPERATIONS) await mediansOf(operation, climbers, WARM_UP[operation]);
  const costs: RungCost[] = [];
  for (const operation of OPERATIONS) {
    await run.server.execute('CHECKPOINT');
    await compareOperation(operation, climbers, run);
    for (const { rung, client } of climbers) {
      const { superuser } = run.server.database(rung.name);
      const count = REQUESTS[operation];
      costs.push({ rung, operation, cost: await costOf(superuser, count, () => client.times(operation, count)) });
    }
  }
  for (const { client, server } of climbers) {
    client.close();
    await server.stop();
  }
  return costs;
}

/** @param active how many accounts sign in and refresh, one after the other */
export async function climb({ server: databases }: BenchRun, rung: Rung, active: number): Promise<Climber> {
  const settings = { ...databases.database(rung.name).settings, WORKER: 'off' };
  const server = await startServer('service', settings, databases.folder);
  return { rung, server, client: await OperationClient.of(server.url, rung, active) };
}

/**
 * The median latency on each rung, by its label. The rungs take turns after a few requests: a
 * service that has waited for a minute is slower than one that has just answered.
 */
async function mediansOf(
  operation: Operation,
  climbers: readonly Climber[],
  count = REQUESTS[operation],
): Promise<Record<string, number>> {
  const times = new Map<string, number[]>(climbers.map(({ rung }) => [rung.label, []]));
  for (let sent = 0; sent < count; sent += TURN)
    for (const { rung, client } of climbers) times.get(rung.label)!.push(...(await client.times(operation, TURN)));
  return Object.fromEntries([...times].map(([label, measured]) => [label, median(measured)]));
}

async function compareOperation(
  operation: Operation,
  climbers: readonly Climber[],
  { options, report, say }: BenchRun,
) {
  const measure = () => mediansOf(operation, climbers);
  const rounds = await interleave(`p50 of ${operation}`, measure, { rounds: options.rounds, say });
  const [lowest, ...higher] = climbers.map(({ rung }) => rung.label);
  for (const label of higher) {
    const ratio = rounds.ratio(lowest, label);
    report.add({
      work: `p50 of ${operation}: ${label} users against ${lowest}`,
      measured: `${rounds.median(label).toFixed(2)} ms`,
      reference: `${rounds.median(lowest).toFixed(2)} ms`,
      ratio,
      disturbed: rounds.disturbed,
      ...atLeast(LEAST, ratio.median),
    });
  }
}
