import { sign } from 'jsonwebtoken';
import type { Client } from 'pg';
import { setTenantScopeSql } from '../../src/platform/database/set-tenant-scope';
import { EVERY_TENANT } from '../../src/platform/database/tenant-scope';
import { ALL_PERMISSIONS } from '../../src/platform/permissions';
import { newId } from '../../src/platform/ids';

/** A tenant with an Owner, whose access token is valid for the whole run. */
export interface ChaosTenant {
  readonly id: string;
  readonly email: string;
  readonly token: string;
}

const TOKEN_LIFETIME = '12h';

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
  const header = { alg: 'RS256', kid: keyId, typ: 'at+jwt' };
  const options = { algorithm: 'RS256', header, issuer, audience: issuer, expiresIn: TOKEN_LIFETIME } as const;
  return rows.map(({ tenant, user, email }) => {
    const claims = {
      email,
      name: 'Owner',
      tenant_id: tenant,
      role: 'Owner',
      permissions: ALL_PERMISSIONS,
      is_admin: false,
      jti: newId(),
    };
    return { id: tenant, email, token: sign(claims, privateKey, { ...options, subject: user }) };
  });
}
