import { setTimeout as pause } from 'node:timers/promises';
import { KeepAliveClients } from './keep-alive-clients';
import { newTenants } from './seed-data';
import { lastingFor, type Fault } from './fault';
import type { Environment } from './environment';

const SHORTAGE_MS = 10_000;
const LOCKED_MS = 7000;
const CALLERS = 30;
/** Connections of one instance with the default pool (docs/scale.md). */
const CONNECTIONS = 17;
const TABLES = ['graphile_worker._private_jobs', 'users', 'invitations', 'webhook_events', 'refresh_tokens'];

/** PostgreSQL lacks a resource, or a table is locked. */
export const RESOURCE_FAULTS: readonly Fault[] = [
  { name: 'disk full (53100), 10 s', causesErrors: true, run: failWrites('53100') },
  { name: 'disk I/O error (58030), 10 s', causesErrors: true, run: failWrites('58030') },
  { name: 'out of memory (53200), 10 s', causesErrors: true, run: failWrites('53200') },
  {
    name: 'read-only (25006), 10 s',
    causesErrors: true,
    run: lastingFor(
      SHORTAGE_MS,
      database('SET default_transaction_read_only = on'),
      database('RESET default_transaction_read_only'),
    ),
  },
  {
    name: 'connection limit of three (53300), 10 s',
    causesErrors: true,
    run: lastingFor(SHORTAGE_MS, database('CONNECTION LIMIT 3'), database('CONNECTION LIMIT -1')),
  },
  { name: 'a table locked for 7 s', run: lockTable },
];

/** Every write fails with this PostgreSQL error code. */
function failWrites(code: string): Fault['run'] {
  const raise = `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '${code}'; END $$`;
  return lastingFor(
    SHORTAGE_MS,
    async ({ postgres }) => {
      await postgres.sql(raise);
      for (const table of TABLES)
        await postgres.sql(
          `CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse()`,
        );
    },
    async ({ postgres }) => {
      for (const table of TABLES) await postgres.sql(`DROP TRIGGER refuse ON ${table}`);
      await postgres.sql('DROP FUNCTION refuse()');
    },
  );
}

function database(change: string) {
  return async ({ postgres }: Environment) => {
    await postgres.sql(`ALTER DATABASE faults ${change}`);
    await postgres.signalBackends('pg_terminate_backend');
  };
}

/** Many clients of every instance need the locked table. */
async function lockTable(environment: Environment): Promise<string[]> {
  const { postgres, services } = environment;
  const [{ token }] = await newTenants(environment, 'locked', 1);
  const callers = new KeepAliveClients({
    path: '/api/v1/tenants/current/projects',
    headers: { Authorization: `Bearer ${token}` },
    expected: [200, 503],
  });
  let most = 0;
  const calling = postgres.connected(async (client) => {
    await client.query('BEGIN; LOCK TABLE projects');
    const calls = services.map(({ address }) => callers.call(address, CALLERS));
    const end = performance.now() + LOCKED_MS;
    while (performance.now() < end) {
      const open = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE usename = 'tenantry'`;
      most = Math.max(most, (await postgres.sql<{ n: number }>(open))[0].n);
      await pause(50);
    }
    callers.isStopped = true;
    return calls;
  });
  await Promise.all(await calling);
  return [
    ...(most > CONNECTIONS * services.length ? [`${most} connections from ${services.length} instances`] : []),
    ...(callers.responses > 0 ? [] : ['no request was answered']),
    ...callers.broken.slice(0, 1).map((error) => `${callers.broken.length} requests failed (${error})`),
  ];
}
