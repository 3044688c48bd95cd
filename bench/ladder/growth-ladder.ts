import { totalmem } from 'node:os';
import type { BenchRun } from '../bench-run';
import type { TextTable } from '../report';
import { measureCold, type ColdCost } from './cold-measurement';
import { ACTIVE } from './operation-client';
import { loadRung, type Rung } from './ladder-rung';
import { compareWarm, type RungCost } from './warm-comparison';

/** PostgreSQL's documentation recommends a quarter of the memory for shared_buffers. */
const RECOMMENDED_MB = Math.floor(totalmem() / 4 / 2 ** 20);

/** `npm run bench -- ladder`: the same requests on databases of growing size. */
export async function climbLadder(run: BenchRun): Promise<void> {
  const { server, options, report, say } = run;
  await server.configure(`shared_preload_libraries = 'pg_stat_statements'`, `shared_buffers = '${RECOMMENDED_MB}MB'`);
  const rungs: Rung[] = [];
  for (const users of options.rungs) rungs.push(await loadRung(server, users, say));
  report.tables.push(sizes(rungs), warmTable(await compareWarm(run, rungs)));
  await server.execute('ALTER SYSTEM RESET shared_buffers');
  const { costs, isEmptied } = await measureCold(run, rungs);
  report.tables.push(coldTable(costs, isEmptied));
}

const sizes = (rungs: readonly Rung[]): TextTable => ({
  title: 'Databases',
  notes: [
    "The sizes of the tenants follow Zipf's law, and the members of a tenant are scattered over all users.",
    'Each user has one session and three refresh tokens.',
    "The index of the operators' search is left out; the panel and operators are measured above.",
  ],
  head: ['users', 'tenants', 'members of the largest', 'size'],
  rows: rungs.map(({ label, population: { tenants, sizes }, bytes }) => [
    label,
    String(tenants),
    String(sizes[0]),
    `${(bytes / 1e9).toFixed(2)} GB`,
  ]),
});

const warmTable = (costs: readonly RungCost[]): TextTable => ({
  title: 'What PostgreSQL does for one request',
  notes: [
    'Averages of pg_stat_statements, with the pages in memory.',
    `shared_buffers are a quarter of the memory, as PostgreSQL recommends: ${RECOMMENDED_MB} MB.`,
    `${ACTIVE} accounts refresh, each once before and once after a checkpoint.`,
    'The write-ahead log includes full pages: the first change of a page after a checkpoint logs all 8 kB.',
    'A B-tree gets one level deeper when its rows multiply by about 250.',
    'So ten times the rows of the last line touch at most one more page for each index (derived, not measured).',
  ],
  head: ['request', 'users', 'pages touched', 'not in shared buffers', 'execution, ms', 'WAL, bytes'],
  rows: costs.map(({ rung, operation, cost }) => [
    operation,
    rung.label,
    cost.pages.toFixed(1),
    cost.read.toFixed(1),
    cost.milliseconds.toFixed(3),
    cost.wal.toFixed(0),
  ]),
});

const coldTable = (costs: readonly ColdCost[], isEmptied: boolean): TextTable => ({
  title: 'After a restart',
  notes: [
    'PostgreSQL has its default shared_buffers of 128 MB and has just started.',
    isEmptied
      ? 'The cache of the operating system was emptied before each line, so pages come from the disk.'
      : 'The cache of the operating system could not be emptied, which needs root: pages come from there.',
  ],
  head: ['request', 'users', 'p50, ms', 'p99, ms', 'pages read'],
  rows: costs.map(({ rung, operation, p50, p99, read }) => [
    operation,
    rung.label,
    p50.toFixed(2),
    p99.toFixed(2),
    read.toFixed(1),
  ]),
});
