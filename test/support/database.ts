import { randomBytes } from 'node:crypto';
import { Client, Pool } from 'pg';
import type { DatabaseUrls } from '../../src/config/database-urls';
import { OWNER_ROLE, SERVICE_ROLE } from '../../dev/service-database';
import { eventually } from './eventually';

const address = (role: string, database: string) =>
  `postgres://${role}:${process.env.TEST_POSTGRES_PASSWORD}@127.0.0.1:${process.env.TEST_POSTGRES_PORT}/${database}`;

/** Runs a query as superuser. */
export async function query<T extends object>(database: string, sql: string, parameters: unknown[] = []): Promise<T[]> {
  const client = new Client({ connectionString: address('postgres', database) });
  await client.connect();
  try {
    return (await client.query<T>(sql, parameters)).rows;
  } finally {
    await client.end();
  }
}

/** Number of statements of a test at a time. Those that wait for locks occupy a connection each. */
const CONNECTIONS = 20;

/** The database of a test file. */
export class TestDatabase {
  /** Connections of the superuser: to connect takes longer than most statements. */
  private readonly pool: Pool;

  private constructor(readonly name: string) {
    this.pool = new Pool({ connectionString: this.superuserUrl, max: CONNECTIONS });
    this.pool.on('error', () => undefined); // some tests end all connections
  }

  /** @param template the database to copy: a migrated one, or `template0` for an empty one */
  static async create(template = 'template'): Promise<TestDatabase> {
    const name = `t_${randomBytes(6).toString('hex')}`;
    await query('postgres', `CREATE DATABASE ${name} TEMPLATE ${template} OWNER ${OWNER_ROLE}`);
    await query(
      'postgres',
      `REVOKE TEMPORARY ON DATABASE ${name}
      FROM PUBLIC`,
    ); // like the migrations do: a copy has the default grants of a new database
    return new TestDatabase(name);
  }

  /** The address for the service: that of the pooler in `npm run test:pgbouncer`. */
  get url(): string {
    const url = new URL(this.urls.service);
    url.port = process.env.TEST_POOLER_PORT ?? url.port;
    return url.toString();
  }

  /** Settings for the service behind a pooler; none without one. */
  get poolerSettings(): NodeJS.ProcessEnv {
    if (!process.env.TEST_POOLER_PORT) return {};
    return { DATABASE_DIRECT_URL: this.urls.service, DATABASE_PREPARED: process.env.TEST_POOLER_PREPARES };
  }

  get urls(): DatabaseUrls {
    return { owner: address(OWNER_ROLE, this.name), service: address(SERVICE_ROLE, this.name) };
  }

  /** The address for a superuser, to which row-level security does not apply. */
  get superuserUrl(): string {
    return address('postgres', this.name);
  }

  /** Runs a query as superuser. What it sets for its session does not last. */
  async query<T extends object>(sql: string, parameters?: unknown[]): Promise<T[]> {
    const client = await this.pool.connect();
    try {
      const { rows } = await client.query<T>(sql, parameters);
      await client.query('DISCARD ALL');
      client.release();
      return rows;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  /**
   * Sends a request that must wait for an uncommitted change, then commits the change.
   * @param waiting number of statements that wait for it
   * @returns the response
   */
  async inTheMidstOf<T>(change: string, parameters: unknown[], ask: () => PromiseLike<T>, waiting = 1): Promise<T> {
    const client = new Client({ connectionString: address('postgres', this.name) });
    await client.connect();
    try {
      await client.query('BEGIN');
      await client.query(change, parameters);
      const response = Promise.resolve(ask());
      await this.untilWaiting(waiting);
      await client.query('COMMIT');
      return await response;
    } finally {
      await client.end();
    }
  }

  /** Waits until this number of statements wait for a lock. */
  async untilWaiting(count: number): Promise<void> {
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await eventually(async () => (await this.query(waiting)).length >= count, `${count} that wait for a change`);
  }

  async drop(): Promise<void> {
    const ended = this.pool.end();
    await query('postgres', `DROP DATABASE ${this.name} WITH (FORCE)`);
    await ended;
  }
}
