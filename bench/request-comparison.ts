import { tokensFor, tokenFor } from './access-tokens';
import { SMALL, type BenchRun } from './bench-run';
import type { BenchDatabase } from './bench-database';
import type { RequestName } from './command-line';
import { assertSameAnswers } from './answer-comparison';
import { CONNECTIONS } from './driver-connections';
import { interleave } from './interleaved-rounds';
import { measureLatency } from './latency-comparison';
import { live, login, me, pages, profile, refresh, type Measured } from './load-drivers';
import { rateFigure } from './report';
import { addTenant, emailOf, PASSWORD } from './seed-data';
import { startServer, type BenchServer } from './servers';

type Compared = Exclude<RequestName, 'latency'>;

/** The work as the table names it, and the least ratio of the service to the baseline. */
const COMPARED: Readonly<Record<Compared, readonly [work: string, least: number]>> = {
  live: ['GET /health/live', 0.6],
  me: ['GET /auth/me', 0.7],
  refresh: ['POST /auth/refresh, many chains', 0.75],
  login: ['POST /auth/login', 0.92],
  profile: ['PATCH /users/me', 0.5],
  members: ['50 members of a tenant, row-level security on, against none', 0.7],
};

const MEMBERS = '/tenants/current/members';
const MEMBERS_PAGE = `${MEMBERS}?limit=50`;

/** Requests of the service and of the baseline on the same database. */
export async function compareRequests(run: BenchRun): Promise<void> {
  const { options, say, report } = run;
  const database = await run.prepare('requests', SMALL);
  const [service, baseline] = await startBoth(database, run.server.folder);
  const drivers = await driversFor(database, service, baseline);
  for (const name of options.requests) {
    if (name === 'latency') continue;
    const [work, least] = COMPARED[name];
    for (const { url } of [service, baseline]) await drivers[name](url, options.warmUpSeconds);
    const side = (server: BenchServer) => async () => (await drivers[name](server.url, options.seconds)).perSecond;
    const sides = { service: side(service), baseline: side(baseline) };
    const rounds = await interleave(work, sides, { rounds: options.rounds, say });
    report.add(rateFigure(work, rounds, ['service', 'baseline'], least));
  }
  if (options.requests.includes('latency')) await measureLatency(service, run);
  await Promise.all([service.stop(), baseline.stop()]);
}

/**
 * Each login uses a new device and enqueues an email about it. No worker runs, so the jobs stay in
 * the queue.
 */
function startBoth({ settings, superuser }: BenchDatabase, folder: string): Promise<[BenchServer, BenchServer]> {
  const service = { ...settings, WORKER: 'off' };
  return Promise.all([
    startServer('service', service, folder),
    startServer('baseline', { ...service, DATABASE_URL: superuser }, folder),
  ]);
}

type Driver = (url: string, seconds: number) => Promise<Measured>;

/** The drivers of the requests, after a check that both servers give the same answers. */
async function driversFor(
  { superuser }: BenchDatabase,
  service: BenchServer,
  baseline: BenchServer,
): Promise<Record<Compared, Driver>> {
  const tokens = await tokensFor(SMALL);
  const member = await tokenFor(1, await addTenant(superuser, SMALL, 50));
  const [token] = tokens;
  const get = { method: 'GET', token };
  const both = [service, baseline];
  await assertSameAnswers({ ...get, path: '/health/live' }, both);
  await assertSameAnswers({ ...get, path: '/auth/me' }, both);
  for (const path of [MEMBERS_PAGE, `${MEMBERS}?limit=49`])
    await assertSameAnswers({ ...get, path, token: member }, both);
  await assertSameAnswers({ method: 'PATCH', path: '/users/me', token, body: { name: 'Renamed' } }, both);
  const account = { email: emailOf(2), password: PASSWORD };
  await assertSameAnswers({ method: 'POST', path: '/auth/login', body: account }, both);
  let chain = 1;
  return {
    live,
    me: (url, seconds) => me(url, tokens, seconds),
    refresh: (url, seconds) => refresh(url, (chain += CONNECTIONS), CONNECTIONS, seconds),
    login: (url, seconds) => login(url, SMALL, seconds),
    profile: (url, seconds) => profile(url, tokens, seconds),
    members: (url, seconds) => pages(url, MEMBERS_PAGE, [member], seconds),
  };
}
