import { IdentityProvider } from '../dev/identity-provider';
import { tokenOfOwner } from './access-tokens';
import { SMALL, type BenchRun } from './bench-run';
import { countCallbacks } from './provider-callbacks';
import { QueryCounter, type Traffic } from './query-counter';
import { emailOf, MEMBERS, PASSWORD, refreshTokenOf, subscribe } from './seed-data';
import { startServer, type BenchServer } from './servers';
import { BILLING, Renewals, WEBHOOK } from './webhook-deliveries';

/** Counts the messages that requests send to the database. */
export async function countTraffic({ server: { folder }, prepare, report }: BenchRun): Promise<void> {
  const { settings, superuser } = await prepare('traffic', SMALL);
  await subscribe(superuser, SMALL / MEMBERS);
  const counter = await QueryCounter.start(settings.DATABASE_URL!);
  const provider = new IdentityProvider();
  await provider.start();
  const service = await startServer(
    'service',
    { ...settings, ...BILLING, ...provider.settings, DATABASE_URL: counter.url, WORKER: 'off' },
    folder,
  );
  report.traffic.push(...(await countQueries(service, counter, await tokenOfOwner(2))));
  report.traffic.push(...(await countCallbacks(service, provider, counter)));
  report.traffic.push(...(await countDeliveries(service, counter, SMALL / MEMBERS)));
  await service.stop();
  await provider.stop();
  await counter.close();
}

/** Counts the database traffic of some requests. */
async function countQueries(server: BenchServer, counter: QueryCounter, token: string): Promise<[string, Traffic][]> {
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
  await count('POST /auth/login', () => ask('POST', '/auth/login', { email: emailOf(2), password: PASSWORD }));
  await count('POST /auth/refresh', () => ask('POST', '/auth/refresh', { refreshToken: refreshTokenOf(2) }));
  await count('PATCH /users/me', () => ask('PATCH', '/users/me', { name: 'Counted' }));
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

/** Counts the statements of a delivery: of a new event, and of the same event again. */
async function countDeliveries(
  server: BenchServer,
  counter: QueryCounter,
  tenants: number,
): Promise<[string, Traffic][]> {
  const post = async ({ headers, body }: ReturnType<Renewals['sign']>[number]) => {
    const { status } = await fetch(`${server.url}${WEBHOOK}`, { method: 'POST', headers, body });
    if (status !== 200) throw new Error(`the delivery returned ${status}`);
  };
  const [warmUp, delivery] = new Renewals(tenants).sign(2);
  await post(warmUp);
  return [
    ['POST /webhooks/stripe, a renewal', await counter.during(() => post(delivery))],
    ['POST /webhooks/stripe, the same again', await counter.during(() => post(delivery))],
  ];
}
