import type { QueryRunner } from 'typeorm';

/** Columns by their names, with the type and what is read: of the key `k` or the tenant `t`. */
type Columns = Readonly<Record<string, readonly [type: string, expression: string]>>;

const COLUMNS: Columns = {
  tenant_id: ['uuid', 'k.tenant_id'],
  id: ['uuid', 'k.id'],
  service_account_id: ['uuid', 'k.service_account_id'],
  user_id: ['uuid', 'k.user_id'],
  permissions: ['text[]', 'k.permissions'],
  allowed_networks: ['text[]', 'k.allowed_networks'],
  per_minute: ['integer', 'k.per_minute'],
  expires_at: ['timestamptz', 'k.expires_at'],
  last_used_at: ['timestamptz', 'k.last_used_at'],
  revoked_at: ['timestamptz', 'k.revoked_at'],
  is_disabled: ['boolean', 'coalesce(a.disabled_at, u.disabled_at) IS NOT NULL'],
  role: ['text', 'r.name'],
  is_built_in: ['boolean', 'r.is_built_in'],
  role_permissions: ['text[]', 'r.permissions'],
};

/** Who created a key. */
export const KEY_CREATOR = { created_by: ['uuid', 'k.created_by'] } as const;

/** From which a key was used. */
export const KEY_NETWORKS = { used_networks: ['text[]', 'k.used_networks'] } as const;

/** Under which id its requests are counted. */
export const KEY_COUNTER = { counted_as: ['uuid', 'coalesce(k.counted_as, k.id)'] } as const;

/** A personal token ends as its terms say, or earlier by the sign-in policy of its tenant. */
export const KEY_LIFETIME = {
  columns: {
    ...KEY_CREATOR,
    expires_at: [
      'timestamptz',
      `CASE WHEN k.user_id IS NULL THEN k.expires_at
            ELSE least(k.expires_at, k.created_at + make_interval(days => p.max_token_days)) END`,
    ],
  },
  joined: 'LEFT JOIN sign_in_policies p ON p.tenant_id = k.tenant_id',
} as const;

/**
 * Creates `api_key_of` again, with more columns than it had at first: a key by its hash, before a
 * tenant is known. The previous version of the service reads the columns that it knows.
 * @param joined further joins
 */
export async function createKeyOf(runner: QueryRunner, more: Columns, joined = ''): Promise<void> {
  const columns = Object.entries({ ...COLUMNS, ...more });
  await runner.query('DROP FUNCTION api_key_of(bytea)');
  await runner.query(`
    CREATE FUNCTION api_key_of(digest bytea)
    RETURNS TABLE (${columns.map(([name, [type]]) => `${name} ${type}`).join(', ')})
    LANGUAGE plpgsql STABLE AS $$
    DECLARE before text := coalesce(current_setting('app.across_tenants', true), '');
    BEGIN
      PERFORM set_config('app.across_tenants', 'on', true);
      RETURN QUERY
        SELECT ${columns.map(([, [, expression]]) => expression).join(', ')}
          FROM api_keys k
          JOIN tenants t ON t.id = k.tenant_id
          LEFT JOIN service_accounts a ON a.tenant_id = k.tenant_id AND a.id = k.service_account_id
          LEFT JOIN users u ON u.id = k.user_id
          LEFT JOIN memberships m ON m.tenant_id = k.tenant_id AND m.user_id = k.user_id
          LEFT JOIN roles r ON r.tenant_id = m.tenant_id AND r.id = m.role_id
          ${joined}
         WHERE k.token_hash = digest;
      PERFORM set_config('app.across_tenants', before, true);
    END $$`);
}
