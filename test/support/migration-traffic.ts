import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { ENTITY_CLASSES } from '../../src/entities';
import { migrationDataSource } from '../../src/platform/database/database-options';
import type { TestDatabase } from './database';

/** Takes a database back to the state before a migration. @param first its timestamp */
export async function revertTo(database: TestDatabase, first: string): Promise<void> {
  const source = await migrationDataSource(database.urls.owner, ENTITY_CLASSES).initialize();
  const isApplied = async () =>
    (await database.query(`SELECT FROM migrations WHERE timestamp >= $1 LIMIT 1`, [first])).length > 0;
  while (await isApplied()) await source.undoLastMigration();
  await source.destroy();
}

const id = (kind: string, n = 'i') => `md5('${kind}' || ${n})::uuid`;
/** In the form of UUID version 7: the audit log is partitioned by the time in its ids. */
const ENTRY_ID = `(lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint), 12, '0') || '70008000'
  || lpad(to_hex(i), 12, '0'))::uuid`;
const RANDOM_ENTRY_ID = ENTRY_ID.replace('to_hex(i)', 'to_hex((random() * 1e9)::int)');
/** Ten people share a tenant. */
const TENANT = id('t', '(i / 10)');

/** Fills the tables that are used most, in the schema of before any of the last 50 migrations. */
export async function fillHotTables(database: TestDatabase, users: number): Promise<void> {
  for (const insert of [
    `INSERT INTO users (id, email, name, is_email_verified, created_at)
     SELECT ${id('u')}, 'seed' || i || '@example.com', 'Seed ' || i, true, now()`,
    `INSERT INTO sessions (id, user_id, created_at, last_used_at, expires_at, active_tenant_id)
     SELECT ${id('s')}, ${id('u')}, now(), now(), now() + interval '7 days', ${TENANT}`,
    `INSERT INTO refresh_tokens (id, session_id, token_hash, expires_at)
     SELECT ${id('r')}, ${id('s')}, sha256(i::text::bytea), now() + interval '7 days'`,
    `INSERT INTO audit_log (id, at, action, actor_id, target_type, target_id, request_id, data)
     SELECT ${ENTRY_ID}, now(), 'user.signed-in', ${id('u')}, 'user', i::text, 'seed', '{}'`,
    `INSERT INTO memberships (tenant_id, user_id, id, role_id, is_owner, joined_at)
     SELECT ${TENANT}, ${id('u')}, ${id('m')}, ${id('r', '(i / 10)')}, i % 10 = 0, now()`,
  ])
    await seed(database, insert, users);
  for (const insert of [
    `INSERT INTO tenants (id, name, created_at, name_key) SELECT ${id('t')}, 'Seed ' || i, now(), 'seed ' || i`,
    `INSERT INTO roles (tenant_id, id, name, is_built_in, is_owner, permissions)
     SELECT ${id('t')}, ${id('r')}, 'Owner', true, true, '{}'`,
    `INSERT INTO projects (tenant_id, id, name, archived, created_at)
     SELECT ${id('t')}, ${id('p')}, 'Seed', false, now()`,
    `INSERT INTO subscriptions (tenant_id, plan, status, updated_at) SELECT ${id('t')}, 'Free', 'Active', now()`,
  ])
    await seed(database, insert, users / 10);
  await database.query('ANALYZE');
}

const seed = (database: TestDatabase, insert: string, rows: number) =>
  database.query(`SET session_replication_role = replica; ${insert} FROM generate_series(1, ${rows}) i`);

/**
 * Transactions of the service, as lists of statements on the i-th of its users: most lock tables in
 * another order than the migrations do. Each waits between its statements, so that one is open at
 * any time.
 */
const TRANSACTIONS: readonly (readonly string[])[] = [
  [
    `INSERT INTO sessions (id, user_id, created_at, last_used_at, expires_at)
     SELECT gen_random_uuid(), ${id('u', '$1::int')}, now(), now(), now() + interval '7 days'`,
    `UPDATE users SET name = 'Seed' WHERE id = ${id('u', '$1::int')}`,
  ],
  [
    `UPDATE tenants SET name = 'Seed ' || $1::int WHERE id = ${id('t', '$1::int')}`,
    `SELECT FROM projects WHERE tenant_id = ${id('t', '$1::int')} FOR UPDATE`,
    `SELECT FROM memberships m JOIN roles r USING (tenant_id) WHERE m.tenant_id = ${id('t', '$1::int')}`,
  ],
  [
    `UPDATE refresh_tokens SET expires_at = now() WHERE id = ${id('r', '$1::int')}`,
    `UPDATE sessions SET last_used_at = now() WHERE id = ${id('s', '$1::int')}`,
  ],
  [
    `UPDATE subscriptions SET updated_at = now() WHERE tenant_id = ${id('t', '$1::int')}`,
    `INSERT INTO audit_log (id, at, action, target_type, target_id, request_id, data)
     SELECT ${RANDOM_ENTRY_ID}, now(), 'x', 'user', $1::int::text, '', '{}'`,
  ],
  [
    `SELECT FROM users u JOIN sessions s ON s.user_id = u.id JOIN memberships m ON m.user_id = u.id
       JOIN tenants t ON t.id = m.tenant_id WHERE u.id = ${id('u', '$1::int')}`,
  ],
];

/** Clients for each kind of transaction. */
const CLIENTS = 3;
const THINKING_MS = 20;

/** Clients that read and write as the service does, with its limits. */
export class MigrationTraffic {
  statements = 0;
  /** Milliseconds of the slowest statement. */
  slowest = 0;
  /** What failed; a statement of the service that fails in this way is a 503 or 500. */
  readonly errors: string[] = [];
  private isStopped = false;
  private clients: Promise<void>[] = [];

  /** @param rows the number of tenants */
  static start(database: TestDatabase, rows: number): MigrationTraffic {
    const traffic = new MigrationTraffic();
    traffic.clients = TRANSACTIONS.flatMap((transaction) =>
      Array.from({ length: CLIENTS }, (_, client) => traffic.run(database, transaction, rows, client)),
    );
    return traffic;
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.clients);
  }

  private async run(database: TestDatabase, statements: readonly string[], rows: number, n: number): Promise<void> {
    const client = new Client({ connectionString: database.superuserUrl, statement_timeout: 2000, lock_timeout: 1900 });
    await client.connect();
    for (let i = n; !this.isStopped; i += CLIENTS) {
      try {
        await client.query('BEGIN');
        for (const sql of statements) {
          const start = performance.now();
          await client.query(sql, [1 + (i % rows)]);
          this.slowest = Math.max(this.slowest, performance.now() - start);
          this.statements++;
          await pause(THINKING_MS);
        }
        await client.query('COMMIT');
      } catch (error) {
        this.errors.push((error as Error).message);
        await client.query('ROLLBACK').catch(() => (this.isStopped = true)); // the test has ended
      }
    }
    await client.end();
  }
}

/** An open transaction that has read tables, like that of pg_dump. */
export class OpenTransaction {
  private constructor(
    private readonly client: Client,
    /** Of its connection. */
    readonly pid: number,
  ) {}

  /** @param sql its statement, whose snapshot stays open */
  static async begin(url: string, sql: string): Promise<OpenTransaction> {
    const client = new Client({ connectionString: url, application_name: 'pg_dump' });
    await client.connect();
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await client.query(sql);
    return new OpenTransaction(client, rows[0].pid);
  }

  async end(): Promise<void> {
    await this.client.query('COMMIT');
    await this.client.end();
  }
}
