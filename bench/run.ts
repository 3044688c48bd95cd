import { writeFileSync } from 'node:fs';
import { BenchFolder, type BenchDatabase } from './bench-database';
import { LARGE, type BenchRun } from './bench-run';
import { readOptions, type SectionName } from './command-line';
import { compareDeliveries } from './delivery-comparison';
import { compareBodies } from './hostile-bodies';
import { comparePages } from './large-tenant';
import { measureOperators } from './operator-queries';
import { measurePanel } from './panel-load';
import { compareGuard } from './plan-guard';
import { Report } from './report';
import { figureTable, trafficTable } from './report-tables';
import { compareRequests } from './request-comparison';
import { countTraffic } from './request-traffic';
import { resultsPage } from './results-page';
import { fill } from './seed-data';
import { measureSync } from './subscription-sync';

/** The sections on databases of their own. Operators and panel share one of a million users. */
const SMALL_SECTIONS: Readonly<Partial<Record<SectionName, (run: BenchRun) => Promise<void>>>> = {
  deliveries: compareDeliveries,
  bodies: compareBodies,
  guard: compareGuard,
  sync: measureSync,
  traffic: countTraffic,
};

const say = (line: string) => process.stdout.write(`${line}\n`);

/**
 * `npm run bench` measures everything and writes bench/RESULTS.md; `npm run bench -- quick` takes a
 * few minutes. Names limit the run, such as `npm run bench -- me` (see command-line.ts).
 * @returns the exit code: 1 if a limit is missed
 */
async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2).filter((argument) => !argument.endsWith('.js')));
  const server = await BenchFolder.start();
  const report = new Report();
  const run: BenchRun = {
    folder: server.folder,
    options,
    report,
    say,
    prepare: async (name, users) => {
      const database = await server.create(name);
      say(`  filling ${users} users …`);
      await fill(database.superuser, users);
      return database;
    },
  };
  try {
    await measureAll(run);
  } finally {
    await server.delete();
  }
  say(`\n${figureTable(report.figures)}`);
  if (report.traffic.length > 0) say(`\n${trafficTable(report.traffic)}`);
  if (options.isWhole) writeFileSync('bench/RESULTS.md', resultsPage(options, report));
  for (const { work } of report.missed) say(`missed: ${work}`);
  return report.missed.length > 0 ? 1 : 0;
}

async function measureAll(run: BenchRun): Promise<void> {
  const { requests, sections } = run.options;
  if (requests.length > 0) await compareRequests(run);
  for (const name of sections) await SMALL_SECTIONS[name]?.(run);
  if (sections.some((name) => !(name in SMALL_SECTIONS))) await measureLarge(run);
}

async function measureLarge(run: BenchRun): Promise<void> {
  const { sections } = run.options;
  const database: BenchDatabase = await run.prepare('large', LARGE);
  if (sections.includes('panel')) await measurePanel(run, database);
  if (sections.includes('operators')) {
    await comparePages(run, database);
    await measureOperators(run, database);
  }
}

main().then(
  (code) => process.exit(code),
  (error: Error) => {
    process.stderr.write(`${error.stack}\n`);
    process.exit(1);
  },
);
