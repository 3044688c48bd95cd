import { addTenant, setPolicies } from './seed-data';
import { pages } from './load-drivers';
import { type QueryCounter, type Traffic } from './query-counter';
import { median } from './statistics';
import type { BenchServer } from './servers';

/** Returns an access token of an account with all permissions in a tenant. */
export type TokenFor = (account: number, tenantId: string) => Promise<string>;

/**
 * Requests per second for a list of 50 members: with row-level security, without it, and of the
 * baseline (no row-level security, no transaction).
 */
export async function membersWithAndWithoutPolicies(
  { service, baseline }: Record<'service' | 'baseline', BenchServer>,
  superuser: string,
  tokenFor: TokenFor,
  { rounds, seconds, tenant }: { rounds: number; seconds: number; tenant: number },
) {
  const token = await tokenFor(1, await addTenant(superuser, tenant, 50));
  const rates = { on: [] as number[], off: [] as number[], baseline: [] as number[] };
  const measure = async (server: BenchServer) => {
    const { perSecond, failed } = await pages(server.url, `${PAGES.members}?limit=50`, [token], seconds);
    if (failed > 0) throw new Error(`${failed} lists of members failed`);
    return perSecond;
  };
  for (let round = 0; round < rounds; round++) {
    rates.on.push(await measure(service));
    await setPolicies(superuser, false);
    rates.off.push(await measure(service));
    rates.baseline.push(await measure(baseline));
    await setPolicies(superuser, true);
  }
  return { on: median(rates.on), off: median(rates.off), baseline: median(rates.baseline) };
}

export const PAGES = {
  members: '/tenants/current/members',
  roles: '/tenants/current/roles',
  notifications: '/notifications',
  audit: '/tenants/current/audit-log',
};
export type PageName = keyof typeof PAGES;

/** A page of a list: the server, the path, and the tokens to use in turn. */
export interface Reading {
  readonly server: BenchServer;
  readonly path: string;
  readonly tokens: readonly string[];
}

/**
 * Median latencies in milliseconds of two pages that are requested alternately, so that other load
 * on the machine affects both.
 */
export async function compareReadings(one: Reading, other: Reading, seconds: number): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []];
  const end = performance.now() + seconds * 1000;
  for (let i = 0; performance.now() < end; i++) {
    times[0].push(await timeOf(one, i));
    times[1].push(await timeOf(other, i));
  }
  return [median(times[0]), median(times[1])];
}

async function timeOf({ server, path, tokens }: Reading, i: number): Promise<number> {
  const start = performance.now();
  const response = await fetch(`${server.url}/api/v1${path}`, {
    headers: { authorization: `Bearer ${tokens[i % tokens.length]}` },
  });
  if (response.status !== 200) throw new Error(`${path} returned ${response.status}`);
  await response.arrayBuffer();
  return performance.now() - start;
}

/** Counts the database traffic of some requests. */
export async function countQueries(
  server: BenchServer,
  counter: QueryCounter,
  token: string,
): Promise<[string, Traffic][]> {
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(`${server.url}/api/v1${path}`, {
      method,
      headers,
      body: body && JSON.stringify(body),
    });
    const { data } = (await response.json()) as { data: unknown };
    if (response.status !== 200) throw new Error(`${method} ${path} returned ${response.status}`);
    return data;
  };
  const counts: [string, Traffic][] = [];
  const count = async (name: string, work: () => Promise<unknown>) => {
    counts.push([name, await counter.during(work)]);
  };
  const role = (name: string) => ({ name, permissions: ['tenant.projects.read'] });
  await ask('POST', '/tenants/current/roles', role('Warm-up')); // opens a connection
  let id = '';
  await count('GET /auth/me', () => ask('GET', '/auth/me'));
  await count('GET /tenants/current/members', () => ask('GET', '/tenants/current/members'));
  await count('POST /tenants/current/roles', async () => {
    id = ((await ask('POST', '/tenants/current/roles', role('Counted'))) as { id: string }).id;
  });
  await count('DELETE /tenants/current/roles/{roleId}', () => ask('DELETE', `/tenants/current/roles/${id}`));
  await count('POST /tenants/current/invitations', () =>
    ask('POST', '/tenants/current/invitations', { email: 'counted@example.com' }),
  );
  return counts;
}
