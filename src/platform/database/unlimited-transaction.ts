import type { Client } from 'pg';
import { setTenantScopeSql } from './set-tenant-scope';
import { EVERY_TENANT } from './tenant-scope';

/**
 * Runs statements of a command beside the service in one transaction, on the rows of all tenants
 * and without the role's time limits. An error rolls it back.
 */
export async function acrossTenants<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query(`BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0;
    ${setTenantScopeSql(EVERY_TENANT)}`);
  try {
    const outcome = await work();
    await client.query('COMMIT');
    return outcome;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined); // the connection may be gone
    throw error;
  }
}
