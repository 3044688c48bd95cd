import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Service accounts of tenants, and the keys with which they and members' programs call the API. */
export class ServiceAccountsAndApiKeys1765500000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE service_accounts (
        tenant_id uuid NOT NULL
          CONSTRAINT service_accounts_tenant_id_fkey REFERENCES tenants (id) ON DELETE CASCADE,
        id uuid NOT NULL,
        name text NOT NULL,
        created_by uuid CONSTRAINT service_accounts_created_by_fkey REFERENCES users (id) ON DELETE SET NULL,
        created_at timestamptz NOT NULL,
        disabled_at timestamptz,
        CONSTRAINT service_accounts_pkey PRIMARY KEY (tenant_id, id)
      )`);
    await runner.query('CREATE INDEX service_accounts_created_by_idx ON service_accounts (created_by)');
    await runner.query(`
      CREATE TABLE api_keys (
        tenant_id uuid NOT NULL CONSTRAINT api_keys_tenant_id_fkey REFERENCES tenants (id) ON DELETE CASCADE,
        id uuid NOT NULL,
        service_account_id uuid,
        user_id uuid,
        name text NOT NULL,
        hint text NOT NULL,
        token_hash bytea NOT NULL CONSTRAINT api_keys_token_hash_key UNIQUE,
        permissions text[] NOT NULL,
        allowed_networks text[] NOT NULL,
        per_minute integer,
        expires_at timestamptz,
        last_used_at timestamptz,
        rotated_to uuid,
        revoked_at timestamptz,
        created_by uuid CONSTRAINT api_keys_created_by_fkey REFERENCES users (id) ON DELETE SET NULL,
        created_at timestamptz NOT NULL,
        CONSTRAINT api_keys_pkey PRIMARY KEY (tenant_id, id),
        CONSTRAINT api_keys_service_account_fkey FOREIGN KEY (tenant_id, service_account_id)
          REFERENCES service_accounts (tenant_id, id) ON DELETE CASCADE,
        CONSTRAINT api_keys_membership_fkey FOREIGN KEY (tenant_id, user_id)
          REFERENCES memberships (tenant_id, user_id) ON DELETE CASCADE,
        CONSTRAINT api_keys_one_owner_check CHECK (service_account_id IS NULL OR user_id IS NULL)
      ) WITH (fillfactor = 90)`);
    for (const [name, columns] of Object.entries(INDEXES))
      await runner.query(`CREATE INDEX api_keys_${name}_idx ON api_keys (${columns})`);
    for (const table of ['service_accounts', 'api_keys']) {
      await runner.query(`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`);
      await runner.query(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`);
      await runner.query(`
        CREATE POLICY tenant_isolation ON ${table}
        USING ((SELECT app_across_tenants()) OR tenant_id = (SELECT app_tenant_id()))`);
    }
    await runner.query(KEY_OF);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION api_key_of');
    for (const table of ['api_keys', 'service_accounts']) await runner.query(`DROP TABLE ${table}`);
  }
}

const INDEXES = {
  service_account: 'tenant_id, service_account_id',
  user_id: 'user_id, tenant_id',
  created_by: 'created_by',
  expires_at: 'expires_at',
  revoked_at: 'revoked_at',
};

/**
 * A key by its hash, before a tenant is known, like `membership_of`: with what decides whether it
 * can be used, and the role of the member whose personal token it is.
 */
const KEY_OF = `
  CREATE FUNCTION api_key_of(digest bytea)
  RETURNS TABLE (tenant_id uuid, id uuid, service_account_id uuid, user_id uuid, permissions text[],
                 allowed_networks text[], per_minute integer, expires_at timestamptz, last_used_at timestamptz,
                 revoked_at timestamptz, is_disabled boolean, role text, is_built_in boolean, role_permissions text[])
  LANGUAGE plpgsql STABLE AS $$
  DECLARE before text := coalesce(current_setting('app.across_tenants', true), '');
  BEGIN
    PERFORM set_config('app.across_tenants', 'on', true);
    RETURN QUERY
      SELECT k.tenant_id, k.id, k.service_account_id, k.user_id, k.permissions, k.allowed_networks, k.per_minute,
             k.expires_at, k.last_used_at, k.revoked_at, coalesce(a.disabled_at, u.disabled_at) IS NOT NULL,
             r.name, r.is_built_in, r.permissions
        FROM api_keys k
        JOIN tenants t ON t.id = k.tenant_id
        LEFT JOIN service_accounts a ON a.tenant_id = k.tenant_id AND a.id = k.service_account_id
        LEFT JOIN users u ON u.id = k.user_id
        LEFT JOIN memberships m ON m.tenant_id = k.tenant_id AND m.user_id = k.user_id
        LEFT JOIN roles r ON r.tenant_id = m.tenant_id AND r.id = m.role_id
       WHERE k.token_hash = digest;
    PERFORM set_config('app.across_tenants', before, true);
  END $$`;
