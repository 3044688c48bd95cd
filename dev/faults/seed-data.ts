import { createPrivateKey } from 'node:crypto';
import { newRefreshSecret, refreshTokenText } from '../../src/auth/domain/refresh-token-text';
import { newId } from '../../src/platform/ids';
import { digestOf } from '../../src/platform/secret-token';
import { SigningKeys } from '../../src/platform/signing-keys';
import { seedTenants, type ChaosTenant } from '../chaos/tenant-seed';
import { ISSUER, type Environment } from './environment';

const SIGNED_IN = `
  WITH visitors AS (
    INSERT INTO users (id, email, name, is_email_verified, created_at)
    SELECT gen_random_uuid(), gen_random_uuid() || '@faults.example', 'Visitor', true, now()
      FROM generate_series(1, $2) RETURNING id
  ), opened AS (
    INSERT INTO sessions (id, user_id, created_at, last_used_at, expires_at, current_token_id)
    SELECT gen_random_uuid(), id, now(), now(), now() + interval '7 days', ($1::uuid[])[row_number() OVER ()]
      FROM visitors RETURNING id, expires_at, current_token_id
  )
  INSERT INTO refresh_tokens (id, session_id, secret_hash, expires_at)
  SELECT current_token_id, opened.id, given.hash, expires_at
    FROM opened JOIN unnest($1::uuid[], $3::bytea[]) given (id, hash) ON given.id = current_token_id`;

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

/** Creates users with a session. @returns their refresh tokens */
export async function newSessions({ postgres }: Environment, count: number): Promise<string[]> {
  const added = Array.from({ length: count }, () => ({ id: newId(), secret: newRefreshSecret() }));
  await postgres.sql(SIGNED_IN, [added.map(({ id }) => id), count, added.map(({ secret }) => digestOf(secret))]);
  return added.map(({ id, secret }) => refreshTokenText(id, secret));
}
