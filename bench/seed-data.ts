import { hash } from '@node-rs/argon2';
import { Client } from 'pg';
import { refreshTokenText } from '../src/auth/domain/refresh-token-text';
import { nameSql } from './seed-names';

/**
 * Kinds of ids: 1 account, 2 session, 3 refresh token, 4 tenant, 5 role (three per tenant: Owner,
 * Admin, Member), 6 everything else, 7 audit entry.
 */
type Kind = 1 | 2 | 3 | 4 | 5 | 6 | 7;

export const PASSWORD = 'bench password 1';
/** The refresh token of the i-th account, which a driver can compute. */
export const refreshTokenOf = (i: number) => refreshTokenText(refreshTokenIdOf(i), refreshSecretOf(i));
export const refreshSecretOf = (i: number) => Buffer.from(`bench-${i}`.padEnd(32, '.'));
export const refreshTokenIdOf = (i: number) => idOf(3, i * 3);
export const emailOf = (i: number) => `bench${i}@example.com`;
/** The tenant of the i-th account. Each tenant has ten members, and the first one is the Owner. */
export const MEMBERS = 10;
export const tenantOf = (i: number) => idOf(4, Math.ceil(i / MEMBERS));
/** Ids in the form of UUID version 7, ordered by number, which a driver can compute too. */
export const idOf = (kind: Kind, i: number) => `0190000${kind}-0000-7000-8000-${i.toString(16).padStart(12, '0')}`;

/** The Stripe ids of a tenant's subscription and customer. */
export const subscriptionIdOf = (tenant: number) => `sub_bench${tenant}`;
export const customerIdOf = (tenant: number) => `cus_bench${tenant}`;

export const idSql = (kind: Kind, n = 'i') => `('0190000${kind}-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;

/** The statement that creates the built-in roles of tenants `first` to `last`. */
const builtInRoles = (first: number, last: number) => `
  INSERT INTO roles SELECT ${idSql(4)}, ${idSql(5, '(i * 3 + k)')}, (ARRAY['Owner', 'Admin', 'Member'])[k + 1], true,
    k = 0, '{}'
    FROM generate_series(${first}, ${last}) i, generate_series(0, 2) k`;

/**
 * Fills a migrated, empty database: accounts with a session each, three refresh tokens per session
 * of which one is valid, a tenant for every ten accounts, ten notifications for each Owner and ten
 * audit entries per tenant.
 * @param url address for a superuser, to which row-level security does not apply
 */
export async function fill(url: string, users: number): Promise<void> {
  const passwordHash = await hash(PASSWORD, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  const tenant = `((i - 1) / ${MEMBERS} + 1)`;
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('SET session_replication_role = replica');
  await withoutIndexes(client, 'users', async () => {
    await client.query(
      `INSERT INTO users (id, email, name, password_hash, password_set_at, is_email_verified, email_verified_at,
        created_at)
       SELECT ${idSql(1)}, 'bench' || i || '@example.com', ${nameSql()}, $1, now(), true, now(), now()
         FROM generate_series(1, ${users}) i`,
      [passwordHash],
    );
  });
  await client.query(
    `INSERT INTO sessions (id, user_id, created_at, last_used_at, expires_at, ip, user_agent, is_proven,
        current_token_id, active_tenant_id)
     SELECT ${idSql(2)}, ${idSql(1)}, now(), now(), now() + interval '7 days', '127.0.0.1', 'bench', true,
       ${idSql(3, '(i * 3)')}, ${idSql(4, tenant)}
       FROM generate_series(1, ${users}) i`,
  );
  await client.query(
    `INSERT INTO refresh_tokens (id, session_id, secret_hash, expires_at)
     SELECT ${idSql(3, '(i * 3 + k)')}, ${idSql(2)},
       sha256(convert_to(rpad('bench-' || i, 32, '.') || CASE k WHEN 0 THEN '' ELSE '-' || k END, 'UTF8')),
       now() + interval '7 days'
       FROM generate_series(1, ${users}) i, generate_series(0, 2) k`,
  );
  const tenants = users / MEMBERS;
  await client.query(
    `INSERT INTO tenants SELECT ${idSql(4)}, 'Tenant ' || i, now(), 'tenant ' || i
      FROM generate_series(1, ${tenants}) i`,
  );
  await client.query(builtInRoles(1, tenants));
  const owner = `(i % ${MEMBERS} = 1)`;
  await client.query(
    `INSERT INTO memberships SELECT ${idSql(4, tenant)}, ${idSql(1)}, ${idSql(6)},
      ${idSql(5, `(${tenant} * 3 + CASE WHEN ${owner} THEN 0 ELSE 2 END)`)},
            ${owner}, now() FROM generate_series(1, ${users}) i`,
  );
  await client.query(
    `INSERT INTO notifications SELECT ${idSql(6, '(i * 10 + k)')}, ${idSql(4)},
      ${idSql(1, `((i - 1) * ${MEMBERS} + 1)`)}, 'MemberInvited', '{}', i * 10 + k, now(), NULL
       FROM generate_series(1, ${tenants}) i, generate_series(0, 9) k`,
  );
  await client.query(
    `INSERT INTO audit_log SELECT ${idSql(6, '(k * 10000000 + i)')}, now(), 'project.changed',
      ${idSql(1, `((i - 1) * ${MEMBERS} + 1)`)}, NULL, ${idSql(4)},
            'project', 'x', '127.0.0.1', 'bench', '{"name": "x"}'
       FROM generate_series(0, 9) k, generate_series(1, ${tenants}) i`,
  );
  await client.query('VACUUM ANALYZE');
  await client.end();
}

/**
 * Drops the indexes of a table except those of constraints, fills the table, and creates them
 * again, which is much faster.
 */
export async function withoutIndexes(client: Client, table: string, insert: () => Promise<void>): Promise<void> {
  const sql = `SELECT i.indexname AS name, i.indexdef AS definition FROM pg_indexes i
                WHERE i.tablename = $1 AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conname = i.indexname)`;
  const { rows } = await client.query<{ name: string; definition: string }>(sql, [table]);
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  await insert();
  // the definition of a partitioned table's index names the parent alone (ONLY)
  for (const { definition } of rows) await client.query(definition.replace(' ON ONLY ', ' ON '));
}

/**
 * Adds a tenant with number `tenant`. The first `members` accounts are its members, the first one
 * is its Owner.
 * @returns its id
 */
export async function addTenant(url: string, tenant: number, members: number): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('SET session_replication_role = replica');
  await client.query(
    `INSERT INTO tenants SELECT ${idSql(4)}, 'Big tenant', now(), 'big tenant'
      FROM generate_series(${tenant}, ${tenant}) i`,
  );
  await client.query(builtInRoles(tenant, tenant));
  await client.query(
    `INSERT INTO memberships SELECT ${idSql(4, 'tenant')}, ${idSql(1)}, ${idSql(6)},
            ${idSql(5, '(tenant * 3 + CASE WHEN i = 1 THEN 0 ELSE 2 END)')}, i = 1, now()
       FROM generate_series(1, ${members}) i, generate_series(${tenant}, ${tenant}) tenant`,
  );
  await client.query('VACUUM ANALYZE memberships');
  await client.end();
  return idOf(4, tenant);
}

/** Adds tenants without members, from number `first` to `last`. */
export async function addTenants(url: string, first: number, last: number): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('SET session_replication_role = replica');
  await client.query(
    `INSERT INTO tenants SELECT ${idSql(4)}, 'Tenant ' || i, now(), 'tenant ' || i
      FROM generate_series(${first}, ${last}) i`,
  );
  await client.query('VACUUM ANALYZE tenants');
  await client.end();
}

/** When the subscriptions began, as a Stripe timestamp. */
export const SUBSCRIBED_AT = 1_767_225_600;

/** Adds an active Pro subscription for each of the first `tenants` tenants. */
export async function subscribe(url: string, tenants: number): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(
    `INSERT INTO subscriptions (tenant_id, processor_customer_id, processor_subscription_id, plan, status,
                                current_period_end, updated_at, processor_status, subscription_created_at, as_of,
                                price_id, billing_interval, currency, seats)
     SELECT ${idSql(4)}, 'cus_bench' || i, 'sub_bench' || i, 'Pro', 'Active', now() + interval '1 day', now(),
            'active', to_timestamp(${SUBSCRIBED_AT}), now() - interval '1 day',
            'price_pro_monthly', 'month', 'usd', 1 FROM generate_series(1, ${tenants}) i`,
  );
  await client.query('VACUUM ANALYZE subscriptions');
  await client.end();
}

/** Runs one statement on a new connection. @returns its rows */
export async function rowsOf<Row extends object>(url: string, sql: string, parameters: unknown[] = []): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql, parameters)).rows;
  } finally {
    await client.end();
  }
}
