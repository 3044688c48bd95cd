import type { Client } from 'pg';
import { setTenantScopeSql } from '../../src/platform/database/set-tenant-scope';
import { EVERY_TENANT } from '../../src/platform/database/tenant-scope';
import { ALL_PERMISSIONS } from '../../src/platform/permissions';
import { newId } from '../../src/platform/ids';
import { newAccessToken } from './access-token';

/** A tenant with an Owner, whose access token is valid for the whole run. */
export interface ChaosTenant {
  readonly id: string;
  readonly ownerId: string;
  readonly email: string;
  readonly token: string;
  /** The id of the token, by which its session is found. */
  readonly tokenId: string;
}

/** Creates tenants with an Owner each, by one statement per table. */
export async function seedTenants(
  database: Client,
  count: number,
  issuer: string,
  privateKey: string,
  keyId: string,
  domain = 'chaos.example',
): Promise<ChaosTenant[]> {
  const rows = Array.from({ length: count }, (_, i) => ({
    tenant: newId(),
    user: newId(),
    role: newId(),
    membership: newId(),
    email: `owner${i}@${domain}`,
  }));
  const given = JSON.stringify(rows);
  const from =
    'FROM jsonb_to_recordset($1::jsonb) AS r (tenant uuid, "user" uuid, role uuid, membership uuid, email text)';
  await database.query(
    `INSERT INTO users (id, email, name, is_email_verified, created_at)
      SELECT "user", email, 'Owner', true, now() ${from}`,
    [given],
  );
  await database.query(`BEGIN; ${setTenantScopeSql(EVERY_TENANT)}`);
  await database.query(`INSERT INTO tenants (id, name, created_at) SELECT tenant, 'Chaos', now() ${from}`, [given]);
  await database.query(
    `INSERT INTO roles (tenant_id, id, name, is_built_in, is_owner, permissions)
      SELECT tenant, role, 'Owner', true, true, '{}' ${from}`,
    [given],
  );
  const members = `INSERT INTO memberships (tenant_id, user_id, id, role_id, is_owner, joined_at)
    SELECT tenant, "user", membership, role, true, now() ${from}`;
  await database.query(members, [given]);
  await database.query('COMMIT');
  return rows.map(({ tenant, user, email }) => {
    const owner = { userId: user, email, tenantId: tenant, role: 'Owner', permissions: ALL_PERMISSIONS };
    const tokenId = newId();
    const token = newAccessToken({ issuer, privateKey, keyId }, { ...owner, tokenId });
    return { id: tenant, ownerId: user, email, token, tokenId };
  });
}
