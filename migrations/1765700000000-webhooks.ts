import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['webhook_endpoints', 'webhook_messages', 'webhook_deliveries'];

/**
 * The receivers of a tenant's public events, the messages, and their deliveries
 * (docs/decisions/0057-webhooks.md).
 */
export class Webhooks1765700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE tenants ADD COLUMN webhook_types text[]');
    await runner.query(`
      CREATE TABLE webhook_endpoints (
        tenant_id uuid NOT NULL
          CONSTRAINT webhook_endpoints_tenant_id_fkey REFERENCES tenants (id) ON DELETE CASCADE,
        id uuid NOT NULL,
        url text NOT NULL,
        description text NOT NULL,
        types text[],
        keys_enc text NOT NULL,
        public_key text NOT NULL,
        old_keys_until timestamptz,
        disabled_at timestamptz,
        disabled_why text CONSTRAINT webhook_endpoints_disabled_why_check
          CHECK (disabled_why IN ('user', 'gone', 'failing')),
        failing_since timestamptz,
        failures integer NOT NULL,
        is_slow boolean NOT NULL,
        is_deleted boolean NOT NULL,
        created_at timestamptz NOT NULL,
        CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (tenant_id, id)
      )`);
    await runner.query(`
      CREATE TABLE webhook_messages (
        tenant_id uuid NOT NULL
          CONSTRAINT webhook_messages_tenant_id_fkey REFERENCES tenants (id) ON DELETE CASCADE,
        id uuid NOT NULL,
        type text NOT NULL,
        body text NOT NULL,
        email text,
        is_pending boolean NOT NULL,
        CONSTRAINT webhook_messages_pkey PRIMARY KEY (tenant_id, id)
      )`);
    await runner.query('CREATE INDEX webhook_messages_pending_idx ON webhook_messages (id) WHERE is_pending');
    await runner.query('CREATE INDEX webhook_messages_email_idx ON webhook_messages (email) WHERE email IS NOT NULL');
    await runner.query('CREATE INDEX webhook_messages_id_idx ON webhook_messages (id)');
    await runner.query(`
      CREATE TABLE webhook_deliveries (
        tenant_id uuid NOT NULL
          CONSTRAINT webhook_deliveries_tenant_id_fkey REFERENCES tenants (id) ON DELETE CASCADE,
        id uuid NOT NULL,
        endpoint_id uuid NOT NULL,
        message_id uuid NOT NULL,
        type text NOT NULL,
        state text NOT NULL CONSTRAINT webhook_deliveries_state_check
          CHECK (state IN ('due', 'delivered', 'failed')),
        attempt integer NOT NULL,
        next_at timestamptz,
        log jsonb NOT NULL,
        created_at timestamptz NOT NULL,
        CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (tenant_id, id),
        CONSTRAINT webhook_deliveries_message_fkey FOREIGN KEY (tenant_id, message_id)
          REFERENCES webhook_messages (tenant_id, id) ON DELETE CASCADE,
        CONSTRAINT webhook_deliveries_endpoint_fkey FOREIGN KEY (tenant_id, endpoint_id)
          REFERENCES webhook_endpoints (tenant_id, id) ON DELETE CASCADE,
        CONSTRAINT webhook_deliveries_message_endpoint_key UNIQUE (tenant_id, message_id, endpoint_id)
      )`);
    await runner.query(`
      CREATE INDEX webhook_deliveries_due_idx ON webhook_deliveries (tenant_id, endpoint_id, next_at)
       WHERE state = 'due'`);
    await runner.query(
      'CREATE INDEX webhook_deliveries_endpoint_idx ON webhook_deliveries (tenant_id, endpoint_id, id)',
    );
    for (const table of TABLES) {
      await runner.query(`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`);
      await runner.query(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`);
      await runner.query(`
        CREATE POLICY tenant_isolation ON ${table}
        USING (tenant_id = (SELECT app_tenant_id()) OR (SELECT app_across_tenants()))`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of [...TABLES].reverse()) await runner.query(`DROP TABLE ${table}`);
    await runner.query('ALTER TABLE tenants DROP COLUMN webhook_types');
  }
}
