import { cpus } from 'node:os';
import { PROGRAMS, type ProgramName } from './command-line';
import { DISTURBED_ABOVE } from './machine-load';
import { figureTable, textTable, trafficTable } from './report-tables';
import { storedResult, type StoredResult } from './stored-results';

/** bench/RESULTS.md, from the results that are stored. */
export const resultsPage = () =>
  [intro, storedPart('main', mainPart), ...PROGRAMS.map((name) => storedPart(name, (stored) => part(name, stored)))]
    .filter((text) => text !== undefined)
    .join('\n');

function storedPart(name: ProgramName | 'main', shown: (stored: StoredResult) => string): string | undefined {
  const stored = storedResult(name);
  return stored && shown(stored);
}

const intro = `# Benchmark results

\`npm run bench\` writes this page from the results in \`bench/results\`.
Each line is from the last run that measured it.
Compare ratios, not absolute figures.

The last run was on ${cpus().length} × ${cpus()[0].model.trim()}; other lines can be of another machine with two cores.
PostgreSQL 18 has its default settings, and everything runs on the same cores as the driver.

A figure is the median of several rounds.
In each round the servers take turns, with the same clients on the same database server.
A ratio is the median of the ratios of the rounds, with the smallest and the largest of them.
Other work is steal time and foreign processes.
A round is disturbed if it took more than ${DISTURBED_ABOVE * 100} % of the CPU time.
Up to five disturbed rounds of a comparison are repeated, and the calmest attempt counts.
The table says how many disturbed rounds remain.
The command ends with code 1 if a limit is missed.
`;

const mainPart = ({ node, rounds, seconds, figures, traffic }: StoredResult) => `## Service against baseline

${rounds} rounds of ${seconds} seconds, Node ${node}.
The **baseline** is \`bench/baseline-server.ts\`, a bare Express 5 server.
It gives the same answers, which is checked before the run, with the same signatures and hashing.
Its statements are prepared and as simple as possible.
It connects as a superuser: row-level security costs it nothing, and a membership is a plain join.
It has a connection for each client, so that no request waits for one.
It has no framework, validation, logging, limits or layers, and no audit entry for a new name.
It verifies each access token; the service caches tokens whose signature it has verified.
A refresh sends its token in the body and no cookie, as a client that is no browser does.
The baseline executes each refresh by itself; the service executes those that arrive at the same time as one statement.
Express writes the members of the baseline as JSON, and PostgreSQL those of the service.

${figureTable(figures)}

A delivery is a renewal: a new event of another tenant, signed before.
The baseline stores each in its own transaction; the service stores those that arrive at the same time in one.
The baseline verifies the signature with Stripe's own package.
It stores the event and the renewal in one transaction of two round trips.
The job that each delivery enqueues stays in the queue.
At half the rate, deliveries arrive at constant intervals and do not wait for earlier responses.
The sync calls the stand-in for Stripe, which runs in its own process.
One in a hundred rows has another plan, status or period end.

This table shows the messages that one request sends to the database.
They include BEGIN, the tenant's scope and COMMIT, and no query runs in a loop.

${trafficTable(traffic)}
`;

const TITLES: Readonly<Record<ProgramName, string>> = {
  peers: 'Service against better-auth',
  ladder: 'Growth: the same requests with more users',
  neighbor: 'A large tenant beside small ones',
  mixed: 'Mixed load',
};

const part = (name: ProgramName, { node, figures, tables }: StoredResult) =>
  [`## ${TITLES[name]}`, `Node ${node}.`, figureTable(figures), ...tables.map(textTable)].join('\n\n') + '\n';
