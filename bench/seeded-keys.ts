import { newKeyToken } from '../src/keys/domain/key-token';
import { digestOf } from '../src/platform/secret-token';
import { idOf, rowsOf } from './seed-data';

/** A key of a service account as a driver uses it. */
export interface SeededKey {
  readonly id: string;
  /** The key itself. */
  readonly token: string;
}

const ADD = `
  WITH given AS (SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::bytea[]) AS g (tenant_id, id, token_hash)),
  accounts AS (
    INSERT INTO service_accounts (tenant_id, id, name, created_at) SELECT tenant_id, id, 'Bench', now() FROM given
    RETURNING tenant_id, id
  )
  INSERT INTO api_keys (tenant_id, id, service_account_id, name, hint, token_hash, permissions, allowed_networks,
                        last_used_at, created_at)
  SELECT g.tenant_id, g.id, a.id, 'Bench', '', token_hash, $4, '{}', now(), now()
    FROM given g JOIN accounts a ON a.tenant_id = g.tenant_id AND a.id = g.id`;

/**
 * Adds a service account with one key to each tenant.
 * @param url of the filled database, for a superuser
 */
export async function addKeys(url: string, tenantIds: readonly string[], permissions: string[]): Promise<SeededKey[]> {
  const keys = tenantIds.map((tenantId, n) => ({
    tenantId,
    id: idOf(6, 900_000_000 + n),
    token: newKeyToken('tn', 'service'),
  }));
  const columns = [tenantIds, keys.map(({ id }) => id), keys.map(({ token }) => digestOf(token))];
  await rowsOf(url, ADD, [...columns, permissions]);
  return keys;
}
