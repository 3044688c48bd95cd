import { Client } from 'pg';
import { percentile } from './statistics';
import { nameOf } from './seed-names';
import { tokenOfAdmin } from './access-tokens';
import type { BenchDatabase } from './bench-database';
import { LARGE, type BenchRun } from './bench-run';
import { atMost } from './report';
import { idOf, idSql, MEMBERS, withoutIndexes } from './seed-data';
import { startServer, type BenchServer } from './servers';

/** Every fifth entry belongs to one user and tenant: a very active customer. */
const BUSY = 5;

const AUDIT_ENTRIES = 5_000_000;
/** Number of searches of each kind, and of audit log pages of each kind. */
const SEARCHES = 100;
const AUDIT_PAGES = 500;
/** Milliseconds that 95 of 100 requests may take. */
const LIMITS = { search: 50, audit: 20 };

/** What operators ask a database of a million users. */
export async function measureOperators(
  { server: { folder }, report, say }: BenchRun,
  database: BenchDatabase,
): Promise<void> {
  const server = await startServer('service', { ...database.settings, WORKER: 'off' }, folder);
  const token = await tokenOfAdmin();
  const add = (work: string, p95: number, limit: number, more = '') =>
    report.add({ work: `p95 of a ${work}`, measured: `${p95.toFixed(1)} ms${more}`, ...atMost(limit, p95, ' ms') });
  const search = await searchUsers(server, token, LARGE, SEARCHES);
  add('search among 1,000,000 users by part of a name or email', search.p95, LIMITS.search, `; ${search.slowest}`);
  say(`  filling ${AUDIT_ENTRIES} audit entries …`);
  await fillAuditLog(database.superuser, AUDIT_ENTRIES, LARGE, LARGE / MEMBERS);
  const audit = await pageAuditLog(server, token, LARGE, LARGE / MEMBERS, AUDIT_PAGES);
  add('page of the audit log among 5,000,000 entries, by tenant', audit.tenant, LIMITS.audit);
  add('page of the audit log among 5,000,000 entries, by actor', audit.actor, LIMITS.audit);
  await server.stop();
}

/**
 * Fills the audit log up to a number of entries. A fifth of them belong to one user and tenant, the
 * rest are spread over all.
 * @param url address of the database for a superuser
 */
async function fillAuditLog(url: string, entries: number, users: number, tenants: number): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('SET session_replication_role = replica');
  const of = (count: number) => `CASE WHEN i % ${BUSY} = 0 THEN 1 ELSE 1 + (i::bigint * 7919) % ${count} END`;
  const { rows } = await client.query<{ count: string }>('SELECT count(*) FROM audit_log');
  await withoutIndexes(client, 'audit_log', async () => {
    await client.query(
      `INSERT INTO audit_log SELECT ${idSql(7)}, now(), (ARRAY['user.signed-in', 'project.changed', 'role.created',
        'session.revoked'])[1 + i % 4],
              ${idSql(1, of(users))}, NULL, ${idSql(4, of(tenants))},
              'project', ${idSql(1, of(users))}::text, '127.0.0.1', 'bench', '{"name": "x"}'
         FROM generate_series(1, ${entries - Number(rows[0].count)}) i`,
    );
  });
  await client.query('VACUUM ANALYZE audit_log');
  await client.end();
}

/** Latencies of sequential requests in milliseconds, without the first `warmUp`. */
async function times(server: BenchServer, token: string, paths: readonly string[], warmUp: number): Promise<number[]> {
  const measured: number[] = [];
  for (const path of paths) {
    const start = performance.now();
    const response = await fetch(`${server.url}/api/v1/admin/${path}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    if (response.status !== 200) throw new Error(`${path} returned ${response.status}`);
    await response.arrayBuffer();
    measured.push(performance.now() - start);
  }
  return measured.slice(warmUp);
}

/**
 * Typical search texts: parts of emails, first names (frequent), last names (rare), both, prefixes,
 * a text that every account has, and one that none has.
 */
const searches = (users: number, i: number): string[] => {
  const account = 1 + ((i * 7919) % users);
  const { first, last } = nameOf(account);
  return [
    `bench${account}@`,
    `${account}@exam`,
    String(account).slice(0, 4),
    first,
    last,
    last.slice(1, 5),
    `${first} ${last}`,
    `${last} bench`,
    first.slice(0, 2),
    'example',
    `nobody${i}`,
  ];
};

/** p95 in milliseconds of a search for accounts: of all searches, and of the slowest kind. */
async function searchUsers(
  server: BenchServer,
  token: string,
  users: number,
  rounds: number,
): Promise<{ p95: number; slowest: string }> {
  const kinds = Array.from({ length: rounds }, (_, i) => searches(users, i));
  const byKind: number[][] = [];
  for (const kind of kinds[0].keys()) {
    const paths = kinds.map((words) => `users?search=${encodeURIComponent(words[kind])}`);
    byKind.push(await times(server, token, [...paths.slice(0, 5), ...paths], 5));
  }
  const worst = byKind.map((measured) => percentile(measured, 95));
  const slowest = worst.indexOf(Math.max(...worst));
  return {
    p95: percentile(byKind.flat(), 95),
    slowest: `slowest kind, such as "${kinds[0][slowest]}": ${worst[slowest].toFixed(1)} ms`,
  };
}

/**
 * p95 in milliseconds of a page of the audit log, by tenant and by actor: with few and many
 * entries, the first page and a later one.
 */
async function pageAuditLog(
  server: BenchServer,
  token: string,
  users: number,
  tenants: number,
  rounds: number,
): Promise<{ tenant: number; actor: number }> {
  const cursorAfter = (i: number) => Buffer.from(idOf(7, i).replaceAll('-', ''), 'hex').toString('base64url');
  const pages = (filter: string, count: number, kind: 1 | 4) =>
    Array.from({ length: rounds }, (_, i) => {
      const id = idOf(kind, i % BUSY === 0 ? 1 : 1 + ((i * 7919) % count));
      return `audit-log?${filter}=${id}${i % 2 === 0 ? '' : `&cursor=${cursorAfter(2_000_000)}`}`;
    });
  const measure = async (filter: string, count: number, kind: 1 | 4) => {
    const paths = pages(filter, count, kind);
    return percentile(await times(server, token, [...paths.slice(0, 10), ...paths], 10), 95);
  };
  return { tenant: await measure('tenant', tenants, 4), actor: await measure('actor', users, 1) };
}
