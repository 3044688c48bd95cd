import { Client } from 'pg';
import type { DatabaseUrls } from '../src/config/database-urls';
import type { EmbeddedPostgres } from './embedded-postgres';

/**
 * The role of the service: it reads and writes rows, and row-level security applies to it as in
 * production.
 */
export const SERVICE_ROLE = 'tenantry';
/** The role that runs migrations and owns the schema. */
export const OWNER_ROLE = 'tenantry_owner';

/**
 * Creates both roles and the database if they are missing.
 * @returns the addresses of the database for both roles
 */
export async function serviceDatabase(postgres: EmbeddedPostgres, name: string): Promise<DatabaseUrls> {
  const password = new URL(postgres.url('postgres')).password;
  await asSuperuser(postgres.url('postgres'), async (client) => {
    for (const role of [OWNER_ROLE, SERVICE_ROLE]) {
      const { rowCount: hasRole } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role]);
      if (!hasRole) await client.query(`CREATE ROLE ${role} LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD '${password}'`);
    }
    const { rowCount: hasDatabase } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (!hasDatabase) await client.query(`CREATE DATABASE ${name} OWNER ${OWNER_ROLE}`);
  });
  // A database of an older version, in which the role of the service owned everything.
  await asSuperuser(postgres.url(name), (client) => client.query(`REASSIGN OWNED BY ${SERVICE_ROLE} TO ${OWNER_ROLE}`));
  return { owner: postgres.url(name, OWNER_ROLE), service: postgres.url(name, SERVICE_ROLE) };
}

async function asSuperuser(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
