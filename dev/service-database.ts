import { Client } from 'pg';
import type { DatabaseUrls } from '../src/config/settings';
import type { EmbeddedPostgres } from './embedded-postgres';

/**
 * The role that the service uses: it reads and writes rows, and row-level security binds it as in
 * production.
 */
export const SERVICE_ROLE = 'tenantry';
/** The role that migrates: the schema is its own. */
export const OWNER_ROLE = 'tenantry_owner';

/**
 * Makes both roles and the service's database where they are missing.
 * @returns the database's address for either role
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
  // A folder of the time when one role did both: what it owned is handed over.
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
