import { createPrivateKey } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, type EmbeddedPostgres } from '../dev/embedded-postgres';
import { IdentityProvider } from '../dev/identity-provider';
import { newSigningKey } from '../dev/local-keys';
import { serviceDatabase } from '../dev/service-database';
import { ENTITY_CLASSES } from '../src/entities';
import { migrate } from '../src/platform/database/migrate';
import { SigningKeys } from '../src/platform/signing-keys';
import { ALL_PERMISSIONS } from '../src/platform/permissions';
import { compareBodies } from './hostile-bodies';
import { BILLING, compareDeliveries, compareGuard, countDeliveries } from './billing';
import { addTenant, emailOf, fill, idOf, MEMBERS, tenantOf } from './seed-data';
import { login, me, refresh, type Measured } from './load-drivers';
import { median } from './statistics';
import { measurePanel } from './panel-load';
import { p99OfMe } from './latency-probe';
import { fillAuditLog, pageAuditLog, searchUsers } from './operator-queries';
import { QueryCounter, type Traffic } from './query-counter';
import { BASE_URL, startServer, type BenchServer } from './servers';
import { DRIFTED, measureSync } from './subscription-sync';
import { countCallbacks } from './provider-callbacks';
import { compareReadings, countQueries, membersWithAndWithoutPolicies, PAGES, type PageName } from './tenant-lists';

/**
 * `npm run bench` measures everything and writes bench/RESULTS.md. `npm run bench -- quick` takes a
 * few minutes: it leaves out the million users and the panel, and syncs fewer subscriptions.
 * Section names limit the run: `npm run bench -- quick requests` (me, login, refresh), `bodies`,
 * `deliveries`, `billing` (with deliveries), `pages`.
 */
const SECTIONS = ['requests', 'bodies', 'deliveries', 'billing', 'pages'] as const;
const NAMED = SECTIONS.filter((section) => process.argv.includes(section));
const QUICK = process.argv.includes('quick');
const measures = (section: (typeof SECTIONS)[number]) => NAMED.length === 0 || NAMED.includes(section);
const ROUNDS = QUICK ? 1 : 3;
const SECONDS = QUICK ? 3 : 6;
/**
 * The figures are those of a warm server, whose code is compiled.
 */
const WARM_UP_SECONDS = QUICK ? 3 : 10;
const CHAINS = 32;
const SMALL = 1000;
const LARGE = 1_000_000;
const BIG = 10_000;
const AUDIT_ENTRIES = 5_000_000;
/** Number of searches of each kind, and of audit log pages of each kind. */
const SEARCHES = 100;
const AUDIT_PAGES = 500;
/** Number of subscriptions with deliveries, and of subscriptions in the sync. */
const SUBSCRIBED = QUICK ? 5000 : 20_000;
const SYNCED = QUICK ? 5000 : 100_000;
/**
 * Rounds of two seconds. Many are needed, because a cache lookup costs less than rounds differ.
 */
const GUARD_ROUNDS = QUICK ? 5 : 15;

const say = (line: string) => process.stdout.write(`${line}\n`);
const privateKey = newSigningKey();
const keys = new SigningKeys(createPrivateKey(privateKey), []);

type Work = 'me' | 'login' | 'refresh';
type Figures = Record<Work, number>;

/** The access token of an account, as Owner of a tenant. */
function tokenFor(account: number, tenantId: string): Promise<string> {
  return sign(account, { tenant_id: tenantId, role: 'Owner', permissions: ALL_PERMISSIONS, is_admin: false });
}

/** The access token of an operator. */
const tokenOfAdmin = () => sign(1, { role: '', permissions: [], is_admin: true });

function sign(account: number, claims: object): Promise<string> {
  const iat = Math.floor(Date.now() / 1000);
  const user = { sub: idOf(1, account), email: emailOf(account), name: `Bench ${account}` };
  return keys.sign({
    ...user,
    ...claims,
    jti: idOf(3, account * 3),
    iss: BASE_URL,
    aud: BASE_URL,
    iat,
    exp: iat + 7200,
  });
}

/** Tokens of 1,000 accounts, spread evenly. */
function tokensFor(users: number): Promise<string[]> {
  const accounts = Array.from({ length: 1000 }, (_, n) => 1 + Math.floor((n * users) / 1000));
  return Promise.all(accounts.map((i) => tokenFor(i, tenantOf(i))));
}

/** Tokens of the Owners of up to 1,000 tenants, spread evenly. */
function ownersOf(users: number): Promise<string[]> {
  const tenants = users / MEMBERS;
  const count = Math.min(1000, tenants);
  const numbers = Array.from({ length: count }, (_, n) => 1 + Math.floor((n * tenants) / count));
  return Promise.all(numbers.map((tenant) => tokenFor((tenant - 1) * MEMBERS + 1, idOf(4, tenant))));
}

/**
 * Requests per second of the servers in alternating rounds on one database. Median of the rounds.
 */
async function compare(settings: NodeJS.ProcessEnv, folder: string, users: number, names: BenchServer['name'][]) {
  const tokens = await tokensFor(users);
  // Each login uses a new device and enqueues a mail about it. No worker runs, so the jobs stay in
  // the queue.
  const servers = await Promise.all(names.map((name) => startServer(name, { ...settings, WORKER: 'off' }, folder)));
  const all = new Map(
    servers.map(({ name }) => [name, { me: [] as number[], login: [] as number[], refresh: [] as number[] }]),
  );
  let chain = 1;
  for (const { url } of servers) await me(url, tokens, WARM_UP_SECONDS);
  for (let round = 1; round <= ROUNDS; round++) {
    for (const { name, url } of servers) {
      const works: Record<Work, () => Promise<Measured>> = {
        me: () => me(url, tokens, SECONDS),
        login: () => login(url, users, SECONDS),
        refresh: () => refresh(url, (chain += CHAINS), CHAINS, SECONDS),
      };
      for (const work of Object.keys(works) as Work[]) {
        const { perSecond, p50, p99, failed } = await works[work]();
        if (failed > 0) throw new Error(`${failed} requests of ${work} failed`);
        all.get(name)![work].push(perSecond);
        say(
          `  ${users} users, round ${round}: ${name.padEnd(8)} ${work.padEnd(7)} ` +
            `${perSecond.toFixed(0).padStart(6)}/s  p50 ${p50} ms  p99 ${p99} ms`,
        );
      }
    }
  }
  const figures = new Map<string, Figures>();
  for (const [name, { me, login, refresh }] of all)
    figures.set(name, { me: median(me), login: median(login), refresh: median(refresh) });
  return { figures, servers, tokens };
}

/** What the sections of a run share. */
interface Run {
  readonly folder: string;
  readonly postgres: EmbeddedPostgres;
  /** Creates a database with accounts. @returns the settings of a service that uses it */
  readonly prepare: (name: string, users: number) => Promise<NodeJS.ProcessEnv>;
  /** Adds a row to the table of results. */
  readonly row: (work: string, limit: string, figure: string, ratio: number, good: boolean) => void;
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-bench-'));
  chmodSync(folder, 0o755);
  const postgres = await startPostgres(folder);
  const rows: string[] = [];
  const run: Run = {
    folder,
    postgres,
    prepare: async (name, users) => {
      const urls = await serviceDatabase(postgres, name);
      await migrate(urls, ENTITY_CLASSES);
      say(`  filling ${users} users …`);
      await fill(postgres.url(name), users);
      return {
        DATABASE_URL: urls.service,
        JWT_PRIVATE_KEY: privateKey,
        SMTP_URL: 'smtp://127.0.0.1:9',
        MAIL_FROM: 'bench@localhost.test',
        LOG_LEVEL: 'info',
        METRICS_TOKEN: '',
      };
    },
    row: (work, limit, figure, ratio, good) => {
      rows.push(`| ${work} | ${limit} | ${figure} | ${ratio.toFixed(2)} | ${good ? 'yes' : '**no**'} |`);
    },
  };
  const counts = measures('requests') ? await measureRequests(run) : [];
  if (measures('bodies')) await measureBodies(run);
  if (measures('billing') || measures('deliveries')) counts.push(...(await measureDeliveries(run)));
  if (measures('billing')) await measureBilling(run);
  if (measures('pages') && !QUICK) await measurePages(run);
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });

  const traffic = counts.map(([request, { messages, roundTrips }]) => `| ${request} | ${messages} | ${roundTrips} |`);
  const table = ['| figure | target | measured | ratio | met |', '| --- | --- | --- | --- | --- |', ...rows].join('\n');
  const sent = ['| request | messages to the database | round trips |', '| --- | --- | --- |', ...traffic].join('\n');
  say(`\n${table}\n\n${sent}`);
  if (!QUICK && NAMED.length === 0) writeFileSync('bench/RESULTS.md', results(table, sent));
}

/** The operators' panel with a million accounts, in a browser. */
async function measurePages({ folder, prepare, row }: Run): Promise<void> {
  const { kilobytes, cold, warm } = await measurePanel(await prepare('pages', LARGE), folder);
  row(
    'panel: sign-in page and overview, compressed',
    '≤ 500 kB',
    `${kilobytes.toFixed(0)} kB`,
    kilobytes / 500,
    kilobytes <= 500,
  );
  const seconds = `${(cold / 1000).toFixed(2)} s; ${(warm / 1000).toFixed(2)} s with the files in the browser cache`;
  row('panel: first of 1,000,000 users visible', '≤ 1 s', seconds, cold / 1000, cold <= 1000);
}

/** GET /auth/me while other clients send the worst bodies. */
async function measureBodies({ folder, prepare, row }: Run): Promise<void> {
  const server = await startServer('service', { ...(await prepare('bodies', SMALL)), WORKER: 'off' }, folder);
  const bench = { folder, rounds: ROUNDS, seconds: SECONDS, say };
  const { atRest, meanwhile } = await compareBodies(server, await tokenFor(1, tenantOf(1)), WARM_UP_SECONDS, bench);
  await server.stop();
  const figure = `${meanwhile.toFixed(2)} ms against ${atRest.toFixed(2)} ms`;
  row(
    'median of me while 4 connections send the worst bodies',
    '≤ 3 × at rest',
    figure,
    meanwhile / atRest,
    meanwhile <= 3 * atRest,
  );
}

/** Deliveries of Stripe events. @returns their database traffic */
async function measureDeliveries({ folder, postgres, prepare, row }: Run): Promise<[string, Traffic][]> {
  const bench = { folder, rounds: ROUNDS, seconds: SECONDS, say };
  const known = SMALL / MEMBERS;
  const settings = await prepare('billing', SMALL);
  const { baseline, service, repeated, p99 } = await compareDeliveries(
    postgres.url('billing'),
    settings,
    { known, all: SUBSCRIBED },
    bench,
  );
  row(
    'deliveries: service against baseline',
    '≥ 0.6',
    `${service.toFixed(0)}/s against ${baseline.toFixed(0)}/s`,
    service / baseline,
    service >= 0.6 * baseline,
  );
  row(
    'p99 of deliveries at half that rate',
    '≤ 50 ms',
    `${p99.toFixed(1)} ms at ${(service / 2).toFixed(0)}/s`,
    p99 / 50,
    p99 <= 50,
  );
  const figure = `${repeated.toFixed(0)}/s against ${service.toFixed(0)}/s`;
  row(
    'deliveries of a stored event against first deliveries',
    '≥ 3 ×',
    figure,
    repeated / service,
    repeated >= 3 * service,
  );

  const counter = await QueryCounter.start(settings.DATABASE_URL!);
  const counted = await startServer(
    'service',
    { ...settings, ...BILLING, DATABASE_URL: counter.url, WORKER: 'off' },
    folder,
  );
  const counts = await countDeliveries(counted, counter, SUBSCRIBED);
  await counted.stop();
  await counter.close();
  return counts;
}

/** The cost of the plan guard per request, and the sync. */
async function measureBilling({ folder, postgres, prepare, row }: Run): Promise<void> {
  const bench = { folder, rounds: ROUNDS, seconds: SECONDS, say };
  const known = SMALL / MEMBERS;
  const settings = await prepare('guard', SMALL);
  const { guarded, unguarded } = await compareGuard(settings, await tokensFor(SMALL), {
    ...bench,
    rounds: GUARD_ROUNDS,
  });
  const slower = `${guarded.toFixed(3)} ms against ${unguarded.toFixed(3)} ms of CPU time`;
  row(
    'me with the plan from the cache against without it',
    '≤ 1.03 ×',
    slower,
    guarded / unguarded,
    guarded <= 1.03 * unguarded,
  );

  const sync = await measureSync(postgres.url('sync'), await prepare('sync', SMALL), { known, all: SYNCED }, bench);
  const { idle, peak } = sync.memory;
  const within = (what: string, limit: string, atMost: number, measured: number, unit: string) =>
    row(
      `sync of ${SYNCED} subscriptions: ${what}`,
      limit,
      `${measured.toFixed(0)}${unit}`,
      measured / atMost,
      measured <= atMost,
    );
  within('list calls', '≤ 1 per 100, and 10', SYNCED / 100 + 10, sync.calls, '');
  within('duration', '≤ 90 s', 90, sync.seconds, ' s');
  within('peak memory above idle', '≤ 60 MB', 60, peak - idle, ` MB above ${idle} MB`);
  const drifted = SYNCED / DRIFTED;
  const good = sync.corrected === drifted && sync.wrong === 0;
  row(
    `sync of ${SYNCED} subscriptions: corrected`,
    `all ${drifted}`,
    `${sync.corrected}; ${sync.wrong} still differ`,
    sync.corrected / drifted,
    good,
  );
}

/** @returns the database traffic of some requests */
async function measureRequests({ folder, postgres, prepare, row }: Run): Promise<[string, Traffic][]> {
  const smallSettings = await prepare('small', SMALL);
  const small = await compare(smallSettings, folder, SMALL, ['baseline', 'service']);
  const [baseline, service] = [small.figures.get('baseline')!, small.figures.get('service')!];
  const limits: Record<Work, number> = { me: 0.6, login: 0.85, refresh: 0.6 };
  for (const work of Object.keys(limits) as Work[]) {
    const ratio = service[work] / baseline[work];
    row(
      `${work}: service against baseline`,
      `≥ ${limits[work]}`,
      `${service[work].toFixed(0)}/s against ${baseline[work].toFixed(0)}/s`,
      ratio,
      ratio >= limits[work],
    );
  }

  const measured = small.servers[1];
  const { url } = measured;
  const atRest: number[] = [];
  const underLoad: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    atRest.push(await p99OfMe(url, small.tokens[0], SECONDS));
    const [p99] = await Promise.all([p99OfMe(url, small.tokens[0], SECONDS), login(url, SMALL, SECONDS + 1)]);
    underLoad.push(p99);
    say(`  p99 of me: ${atRest[round].toFixed(1)} ms at rest, ${p99.toFixed(1)} ms while logins saturate the cores`);
  }
  const [rest, load] = [median(atRest), median(underLoad)];
  row(
    'p99 of me while logins saturate the cores',
    '≤ 5 × at rest',
    `${load.toFixed(1)} ms against ${rest.toFixed(1)} ms`,
    load / rest,
    load <= 5 * rest,
  );
  const megabytes = measured.memory();
  row('memory of the service after the run', '≤ 220 MB', `${megabytes} MB`, megabytes / 220, megabytes <= 220);

  const lists = { rounds: ROUNDS, seconds: SECONDS, tenant: SMALL };
  const members = await membersWithAndWithoutPolicies(
    { baseline: small.servers[0], service: measured },
    postgres.url('small'),
    tokenFor,
    lists,
  );
  const list = (what: string, limit: number, rate: number, base: number) =>
    row(
      what,
      limit ? `≥ ${limit}` : '–',
      `${rate.toFixed(0)}/s against ${base.toFixed(0)}/s`,
      rate / base,
      rate / base >= limit,
    );
  list('list of 50 members: row-level security on against policies off', 0.6, members.on, members.off);
  list(
    'list of 50 members: service, row-level security on, against baseline, policies off and no transaction',
    0,
    members.on,
    members.baseline,
  );
  await Promise.all(small.servers.map((server) => server.stop()));

  const counter = await QueryCounter.start(smallSettings.DATABASE_URL!);
  const provider = new IdentityProvider();
  await provider.start();
  const counted = await startServer(
    'service',
    { ...smallSettings, ...provider.settings, DATABASE_URL: counter.url, WORKER: 'off' },
    folder,
  );
  const counts = [
    ...(await countQueries(counted, counter, (await ownersOf(SMALL))[0])),
    ...(await countCallbacks(counted, provider, counter)),
  ];
  await counted.stop();
  await provider.stop();
  await counter.close();

  if (!QUICK) {
    const largeSettings = await prepare('large', LARGE);
    const large = await compare(largeSettings, folder, LARGE, ['service']);
    const many = large.figures.get('service')!;
    for (const work of Object.keys(limits) as Work[]) {
      const ratio = many[work] / service[work];
      row(
        `${work}: 1,000,000 users, 3,000,000 refresh tokens against 1,000 users`,
        '≥ 0.9',
        `${many[work].toFixed(0)}/s against ${service[work].toFixed(0)}/s`,
        ratio,
        ratio >= 0.9,
      );
    }
    const few = await startServer('service', smallSettings, folder);
    await comparePages(few, large.servers[0], row);
    await few.stop();
    const big = await addTenant(postgres.url('large'), LARGE, BIG);
    const page = { server: large.servers[0], path: PAGES.members, tokens: [await tokenFor(1, big)] };
    const lastPage = { ...page, path: `${PAGES.members}?cursor=${cursorAfter(idOf(6, BIG - 20))}` };
    const [first, last] = await compareReadings(page, lastPage, ROUNDS * SECONDS);
    row(
      `a tenant of ${BIG} members: last page against first`,
      '≤ 1.5 ×',
      `${last.toFixed(2)} ms against ${first.toFixed(2)} ms`,
      last / first,
      last <= 1.5 * first,
    );
    const operator = await tokenOfAdmin();
    const search = await searchUsers(large.servers[0], operator, LARGE, SEARCHES);
    const within = (what: string, limit: number, measuredMs: number, more = '') =>
      row(what, `p95 ≤ ${limit} ms`, `${measuredMs.toFixed(1)} ms${more}`, measuredMs / limit, measuredMs <= limit);
    within('search among 1,000,000 users by part of a name or email', 50, search.p95, `; ${search.slowest}`);
    say(`  filling ${AUDIT_ENTRIES} audit entries …`);
    await fillAuditLog(postgres.url('large'), AUDIT_ENTRIES, LARGE, LARGE / MEMBERS);
    const audit = await pageAuditLog(large.servers[0], operator, LARGE, LARGE / MEMBERS, AUDIT_PAGES);
    within('page of the audit log among 5,000,000 entries, by tenant', 20, audit.tenant);
    within('page of the audit log among 5,000,000 entries, by actor', 20, audit.actor);
    await Promise.all(large.servers.map((server) => server.stop()));
  }
  return counts;
}

const results = (table: string, sent: string) => `# Benchmark results

\`npm run bench\` writes this page.
Compare ratios, not absolute figures.
In one run both servers use the same database server in alternating rounds.
Each figure is the median of ${ROUNDS} rounds of ${SECONDS} seconds.
The **baseline** is \`bench/baseline-server.ts\`, a bare Express 5 server.
It runs the same statements through pg, with the same signatures and the same hashing.
It has no framework, validation, logging, limits or layers.

Machine: ${cpus().length} × ${cpus()[0].model.trim()}, Node ${process.versions.node}, PostgreSQL 18.
PostgreSQL has its default settings, and everything runs on the same cores as the driver.

The cores are shared with other work, so a ratio varies by about a tenth between runs.
The ratio of \`me\` was between 0.55 and 0.75.
The service caches access tokens whose signature it has verified.
The driver sends 1,000 different ones in turn, and the baseline verifies each token again.

${table}

In lists, each tenant has ten members, ten notifications for its Owner and ten audit entries.
The latencies are medians of one sequential client.
A list within a tenant sends three messages in one round trip: BEGIN with the tenant, the query, COMMIT.

Deliveries are renewals.
Each is a new event of another tenant and was signed before.
The baseline verifies the signature with Stripe's own package.
It runs the statements of the service in one transaction.
The job that each delivery enqueues stays in the queue.
At half the rate, deliveries arrive at constant intervals and do not wait for earlier responses.
The sync calls the stand-in for Stripe, which runs in its own process.
One in a hundred rows has another plan, status or period end.
The plan guard is compared with a service without it, in ${GUARD_ROUNDS} rounds of two seconds.

This table shows the messages that one request sends to the database.
They include BEGIN, the tenant's scope and COMMIT, and no query runs in a loop.

${sent}
`;

/** Latencies of list pages with 100 tenants and with 100,000. */
async function comparePages(
  few: BenchServer,
  many: BenchServer,
  row: (work: string, limit: string, figure: string, ratio: number, good: boolean) => void,
) {
  const [tokensOfFew, tokensOfMany] = [await ownersOf(SMALL), await ownersOf(LARGE)];
  for (const name of Object.keys(PAGES) as PageName[]) {
    const [one, other] = [
      { server: few, path: PAGES[name], tokens: tokensOfFew },
      { server: many, path: PAGES[name], tokens: tokensOfMany },
    ];
    await compareReadings(one, other, WARM_UP_SECONDS / 2);
    const [a, b] = await compareReadings(one, other, ROUNDS * SECONDS);
    const figure = `${b.toFixed(2)} ms against ${a.toFixed(2)} ms`;
    row(
      `p50 of a page of ${name}: 100,000 tenants, 1,000,000 memberships against 100 tenants`,
      '≤ 1.2 ×',
      figure,
      b / a,
      b <= 1.2 * a,
    );
  }
}

const cursorAfter = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');

main().catch((error: Error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
