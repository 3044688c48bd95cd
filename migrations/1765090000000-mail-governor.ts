import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Mail limits by recipient, by inviting tenant and by hour over all new addresses, and addresses
 * that the mail server has rejected.
 */
export class MailGovernor1765090000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE mail_allowances (
        recipient_hash bytea NOT NULL,
        purpose text NOT NULL,
        sent_at timestamptz[] NOT NULL,
        next_at timestamptz NOT NULL,
        CONSTRAINT mail_allowances_pkey PRIMARY KEY (recipient_hash, purpose)
      )`);
    await runner.query('CREATE INDEX mail_allowances_last_sent_idx ON mail_allowances ((sent_at[1]))');
    await runner.query(`
      CREATE TABLE mail_ceilings (
        hour timestamptz NOT NULL,
        asked integer NOT NULL,
        CONSTRAINT mail_ceilings_pkey PRIMARY KEY (hour)
      )`);
    await runner.query(`
      CREATE TABLE suppressed_addresses (
        address text NOT NULL,
        until timestamptz NOT NULL,
        reason text NOT NULL,
        CONSTRAINT suppressed_addresses_pkey PRIMARY KEY (address)
      )`);
    await runner.query('CREATE INDEX suppressed_addresses_until_idx ON suppressed_addresses (until)');
    await runner.query(`
      CREATE TABLE invitation_quotas (
        tenant_id uuid NOT NULL CONSTRAINT invitation_quotas_tenant_id_fkey REFERENCES tenants (id) ON DELETE CASCADE,
        window_started_at timestamptz NOT NULL,
        sent integer NOT NULL,
        CONSTRAINT invitation_quotas_pkey PRIMARY KEY (tenant_id)
      )`);
    await runner.query('ALTER TABLE invitation_quotas ENABLE ROW LEVEL SECURITY');
    await runner.query('ALTER TABLE invitation_quotas FORCE ROW LEVEL SECURITY');
    await runner.query(`
      CREATE POLICY tenant_isolation ON invitation_quotas
      USING (tenant_id = (SELECT app_tenant_id()) OR (SELECT app_across_tenants()))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['invitation_quotas', 'suppressed_addresses', 'mail_ceilings', 'mail_allowances'])
      await runner.query(`DROP TABLE ${table}`);
  }
}
