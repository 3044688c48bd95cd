import { writeFileSync } from 'node:fs';
import type { BenchRun } from '../bench-run';
import { percentile } from '../statistics';
import { costOf } from '../statement-statistics';
import { OPERATIONS, type Operation } from './operation-client';
import type { Rung } from './ladder-rung';
import { climb } from './warm-comparison';

const REQUESTS: Readonly<Record<Operation, number>> = { me: 200, members: 200, refresh: 200, login: 40 };
/** Requests that compile the code of the service; they touch few pages. */
const WARM_UP = 20;

/** An operation whose pages have to be read. */
export interface ColdCost {
  readonly rung: Rung;
  readonly operation: Operation;
  readonly p50: number;
  readonly p99: number;
  /** Pages read for one request, from the cache of the operating system or the disk. */
  readonly read: number;
}

/**
 * Measures each operation after a restart of PostgreSQL with its default memory (128 MB), and with
 * an empty cache of the operating system where this process may empty it.
 * @returns the costs, and whether the caches could be emptied
 */
export async function measureCold(run: BenchRun, rungs: readonly Rung[]) {
  const costs: ColdCost[] = [];
  let isEmptied = true;
  for (const rung of rungs) {
    await run.server.restart();
    const { client, server } = await climb(run, rung, rung.population.users);
    const { superuser } = run.server.database(rung.name);
    for (const operation of OPERATIONS) {
      await client.times(operation, WARM_UP);
      isEmptied = emptyCaches() && isEmptied;
      let times: number[] = [];
      const count = REQUESTS[operation];
      const { read } = await costOf(superuser, count, async () => (times = await client.times(operation, count)));
      const [p50, p99] = [percentile(times, 50), percentile(times, 99)];
      run.say(`  cold, ${rung.label}: ${operation} ${p50.toFixed(2)} ms, ${read.toFixed(1)} pages read`);
      costs.push({ rung, operation, p50, p99, read });
    }
    client.close();
    await server.stop();
  }
  return { costs, isEmptied };
}

/** Empties the cache of the operating system (proc(5), drop_caches), which only root may do. */
function emptyCaches(): boolean {
  try {
    writeFileSync('/proc/sys/vm/drop_caches', '3');
    return true;
  } catch {
    return false;
  }
}
