import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { DatabaseUrls } from '../../src/config/settings';
import { OWNER_ROLE, SERVICE_ROLE } from '../../dev/service-database';
import { eventually } from './eventually';

const address = (role: string, database: string) =>
  `postgres://${role}:${process.env.TEST_POSTGRES_PASSWORD}@127.0.0.1:${process.env.TEST_POSTGRES_PORT}/${database}`;

/** Asks a database something as its superuser. */
export async function query<T extends object>(database: string, sql: string, parameters: unknown[] = []): Promise<T[]> {
  const client = new Client({ connectionString: address('postgres', database) });
  await client.connect();
  try {
    return (await client.query<T>(sql, parameters)).rows;
  } finally {
    await client.end();
  }
}

/** A database of its own for a test file. */
export class TestDatabase {
  private constructor(readonly name: string) {}

  /** @param template what it begins as: migrated, or `template0` for an empty one */
  static async create(template = 'template'): Promise<TestDatabase> {
    const name = `t_${randomBytes(6).toString('hex')}`;
    await query('postgres', `CREATE DATABASE ${name} TEMPLATE ${template} OWNER ${OWNER_ROLE}`);
    await query(
      'postgres',
      `REVOKE TEMPORARY ON DATABASE ${name}
      FROM PUBLIC`,
    ); // as migrating did: a copy has the rights of a new database
    return new TestDatabase(name);
  }

  /** For the service. */
  get url(): string {
    return this.urls.service;
  }

  get urls(): DatabaseUrls {
    return { owner: address(OWNER_ROLE, this.name), service: address(SERVICE_ROLE, this.name) };
  }

  query<T extends object>(sql: string, parameters?: unknown[]): Promise<T[]> {
    return query<T>(this.name, sql, parameters);
  }

  /**
   * Asks for something while a change is under way that it must wait for; then the change is
   * committed.
   * @param waiting how many wait for it, one behind the other
   * @returns the answer
   */
  async inTheMidstOf<T>(change: string, parameters: unknown[], ask: () => PromiseLike<T>, waiting = 1): Promise<T> {
    const client = new Client({ connectionString: address('postgres', this.name) });
    await client.connect();
    try {
      await client.query('BEGIN');
      await client.query(change, parameters);
      const answer = Promise.resolve(ask());
      await this.untilWaiting(waiting);
      await client.query('COMMIT');
      return await answer;
    } finally {
      await client.end();
    }
  }

  /** Until so many wait for what others have locked. */
  async untilWaiting(count: number): Promise<void> {
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await eventually(async () => (await this.query(waiting)).length >= count, `${count} who wait for a change`);
  }

  async drop(): Promise<void> {
    await query('postgres', `DROP DATABASE ${this.name} WITH (FORCE)`);
  }
}
