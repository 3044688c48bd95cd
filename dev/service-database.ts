import { Client } from 'pg';
import type { EmbeddedPostgres } from './embedded-postgres';

/** The role that the service uses: no superuser, so that row-level security binds it as in production. */
export const SERVICE_ROLE = 'tenantry';

/** Makes the service's role and its database where they are missing. @returns the address for the service */
export async function serviceDatabase(postgres: EmbeddedPostgres, name: string): Promise<string> {
  const client = new Client({ connectionString: postgres.url('postgres') });
  await client.connect();
  try {
    const password = new URL(postgres.url('postgres')).password;
    const { rowCount: hasRole } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [SERVICE_ROLE]);
    if (!hasRole) await client.query(`CREATE ROLE ${SERVICE_ROLE} LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD '${password}'`);
    const { rowCount: hasDatabase } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (!hasDatabase) await client.query(`CREATE DATABASE ${name} OWNER ${SERVICE_ROLE}`);
  } finally {
    await client.end();
  }
  return postgres.url(name, SERVICE_ROLE);
}
