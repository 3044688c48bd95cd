import { createPrivateKey } from 'node:crypto';
import { SigningKeys } from '../../src/platform/signing-keys';
import { seedTenants, type ChaosTenant } from '../chaos/tenant-seed';
import { ISSUER, type Environment } from './environment';

/** The role that invited users get. */
const MEMBER = `
  INSERT INTO roles (tenant_id, id, name, is_built_in, is_owner, permissions)
  SELECT tenant_id, gen_random_uuid(), 'Member', true, false, '{}' FROM unnest($1::uuid[]) AS tenant_id`;

/**
 * Creates tenants, each with an Owner whose access token is valid for the whole run.
 * @param name unique within the run
 */
export async function newTenants(
  { postgres, signingKey }: Environment,
  name: string,
  count: number,
): Promise<ChaosTenant[]> {
  const { kid } = new SigningKeys(createPrivateKey(signingKey), []);
  const tenants = await postgres.connected((client) =>
    seedTenants(client, count, ISSUER, signingKey, kid, `${name}.example`),
  );
  await postgres.sql(MEMBER, [tenants.map(({ id }) => id)]);
  return tenants;
}
