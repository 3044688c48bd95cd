import { setTimeout as pause } from 'node:timers/promises';
import { tokenFor, tokensFor } from './access-tokens';
import { SMALL, type BenchRun } from './bench-run';
import { interleave } from './interleaved-rounds';
import { pages } from './load-drivers';
import { atMost, rateFigure } from './report';
import { MEMBERS, tenantOf } from './seed-data';
import { addKeys, type SeededKey } from './seeded-keys';
import { startServer, type BenchServer } from './servers';
import { percentile } from './statistics';

const MEMBERS_PAGE = '/tenants/current/members';
const PERMISSIONS = ['tenant.members.read'];
const LEAST = 0.9;
const REVOKED = 200;
const REVOCATION_LIMIT_MS = 1000;
/** Between two requests with a key that was just revoked. */
const BETWEEN_REQUESTS_MS = 2;

/**
 * Compares GET of members by key with the same by access token, for the same thousand tenants; then
 * revokes keys on one server and measures how long another one still serves them.
 */
export async function measureKeys(run: BenchRun): Promise<void> {
  const { server, options, prepare, report, say } = run;
  const { settings, superuser } = await prepare('keys', SMALL);
  const tenants = Array.from({ length: SMALL / MEMBERS }, (_, n) => tenantOf(n * MEMBERS + 1));
  const keys = await addKeys(superuser, tenants, PERMISSIONS);
  const start = () => startServer('service', { ...settings, WORKER: 'off' }, server.folder);
  const services = await Promise.all([start(), start()]);
  const [{ url }] = services;
  const bearers = { keys: keys.map(({ token }) => token), tokens: await tokensFor(SMALL) };
  const read = async (by: keyof typeof bearers, seconds: number) =>
    (await pages(url, MEMBERS_PAGE, bearers[by], seconds)).perSecond;
  for (const by of ['keys', 'tokens'] as const) await read(by, options.warmUpSeconds);
  const work = 'GET /tenants/current/members by key against by access token';
  const sides = { keys: () => read('keys', options.seconds), tokens: () => read('tokens', options.seconds) };
  const rounds = await interleave(work, sides, { rounds: options.rounds, say });
  report.add(rateFigure(work, rounds, ['keys', 'tokens'], LEAST));
  const served = await revokeAll(keys.slice(0, REVOKED), services);
  await Promise.all(services.map((service) => service.stop()));
  const p99 = percentile(served, 99);
  report.add({
    work: `p99 of ${REVOKED} revocations until another instance refuses the key`,
    measured: `${p99.toFixed(0)} ms`,
    ...atMost(REVOCATION_LIMIT_MS, p99, ' ms'),
  });
}

/** @returns for each key the milliseconds from the answer to its revocation to the first refusal */
async function revokeAll(keys: readonly SeededKey[], [revoker, other]: readonly BenchServer[]): Promise<number[]> {
  const served: number[] = [];
  for (const [n, key] of keys.entries()) {
    if ((await read(other, key)) !== 200) throw new Error('A key was refused before it was revoked.');
    const account = n * MEMBERS + 1;
    const token = await tokenFor(account, tenantOf(account));
    const revoked = await ask(revoker, `/tenants/current/keys/${key.id}`, token, 'DELETE');
    if (revoked !== 200) throw new Error(`The revocation of a key returned ${revoked}.`);
    const since = performance.now();
    while ((await read(other, key)) === 200) await pause(BETWEEN_REQUESTS_MS);
    served.push(performance.now() - since);
  }
  return served;
}

const read = (server: BenchServer, key: SeededKey) => ask(server, `${MEMBERS_PAGE}?limit=1`, key.token, 'GET');

async function ask(server: BenchServer, path: string, bearer: string, method: string): Promise<number> {
  const headers = { authorization: `Bearer ${bearer}` };
  const response = await fetch(`${server.url}/api/v1${path}`, { method, headers });
  await response.arrayBuffer();
  return response.status;
}
