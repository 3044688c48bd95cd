import { writeFileSync } from 'node:fs';
import { measureKeys } from './api-keys';
import { BenchFolder } from './bench-database';
import { LARGE, type BenchRun } from './bench-run';
import { readOptions, type BenchOptions, type ProgramName, type SectionName } from './command-line';
import { compareDeliveries } from './delivery-comparison';
import { compareBodies } from './hostile-bodies';
import { compareKeyedWrites } from './keyed-writes';
import { climbLadder } from './ladder/growth-ladder';
import { comparePages } from './large-tenant';
import { runMixedLoad } from './mixed/mixed-load';
import { measureNeighbor } from './neighbor/large-neighbor';
import { measureOperators } from './operator-queries';
import { measurePanel } from './panel-load';
import { comparePeers } from './peers/peer-comparison';
import { compareGuard } from './plan-guard';
import { comparePrices } from './plan-prices';
import { Report } from './report';
import { figureTable, textTable, trafficTable } from './report-tables';
import { compareRequests } from './request-comparison';
import { countTraffic } from './request-traffic';
import { resultsPage } from './results-page';
import { fill } from './seed-data';
import { storeResult, type PartName } from './stored-results';
import { measureSync } from './subscription-sync';
import { measureWebhooks } from './webhook-throughput';

type Measurement = (run: BenchRun) => Promise<void>;

/** The sections on databases of their own. Operators and panel share one of a million users. */
const SMALL_SECTIONS: Readonly<Partial<Record<SectionName, Measurement>>> = {
  deliveries: compareDeliveries,
  bodies: compareBodies,
  guard: compareGuard,
  writes: compareKeyedWrites,
  keys: measureKeys,
  prices: comparePrices,
  sync: measureSync,
  traffic: countTraffic,
  webhooks: measureWebhooks,
};
const PROGRAMS: Readonly<Record<ProgramName, Measurement>> = {
  peers: comparePeers,
  ladder: climbLadder,
  neighbor: measureNeighbor,
  mixed: runMixedLoad,
};

const say = (line: string) => process.stdout.write(`${line}\n`);

/**
 * `npm run bench` compares the service with the baseline; `npm run bench -- quick` takes a few
 * minutes. Names limit the run, such as `npm run bench -- me` (see command-line.ts). Runs that are
 * not quick write bench/RESULTS.md, in which the lines of what they measured are replaced.
 * @returns the exit code: 1 if a limit is missed
 */
async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2).filter((argument) => !argument.endsWith('.js')));
  const { requests, sections, programs, isWhole, isQuick } = options;
  const missed: string[] = [];
  const measure = async (part: PartName, measurement: Measurement, isPartWhole: boolean) => {
    const report = await measureOn(options, measurement);
    show(report);
    if (!isQuick) storeResult(part, report, { ...options, isWhole: isPartWhole });
    missed.push(...report.missed.map(({ work }) => work));
  };
  if (requests.length + sections.length > 0) await measure('main', measureMain, isWhole);
  for (const program of programs) await measure(program, PROGRAMS[program], true);
  if (!isQuick) writeFileSync('bench/RESULTS.md', resultsPage());
  for (const work of missed) say(`missed: ${work}`);
  return missed.length > 0 ? 1 : 0;
}

/** Runs a measurement on a database server of its own. */
async function measureOn(options: BenchOptions, measurement: Measurement): Promise<Report> {
  const server = await BenchFolder.start();
  const report = new Report();
  const prepare = async (name: string, users: number) => {
    const database = await server.create(name);
    say(`  filling ${users} users …`);
    await fill(database.superuser, users);
    return database;
  };
  try {
    await measurement({ server, options, report, say, prepare });
  } finally {
    await server.delete();
  }
  return report;
}

async function measureMain(run: BenchRun): Promise<void> {
  const { requests, sections } = run.options;
  if (requests.length > 0) await compareRequests(run);
  for (const name of sections) await SMALL_SECTIONS[name]?.(run);
  if (sections.some((name) => !(name in SMALL_SECTIONS))) await measureLarge(run);
}

async function measureLarge(run: BenchRun): Promise<void> {
  const { sections } = run.options;
  const database = await run.prepare('large', LARGE);
  if (sections.includes('panel')) await measurePanel(run, database);
  if (sections.includes('operators')) {
    await comparePages(run, database);
    await measureOperators(run, database);
  }
}

function show({ figures, traffic, tables }: Report): void {
  say(`\n${figureTable(figures)}`);
  if (traffic.length > 0) say(`\n${trafficTable(traffic)}`);
  for (const table of tables) say(`\n${textTable(table)}`);
}

main().then(
  (code) => process.exit(code),
  (error: Error) => {
    process.stderr.write(`${error.stack}\n`);
    process.exit(1);
  },
);
