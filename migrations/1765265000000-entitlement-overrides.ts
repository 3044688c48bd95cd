import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Overrides of entitlements for a limited time, apart from the copy of Stripe's subscriptions. */
export class EntitlementOverrides1765265000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE entitlement_overrides (
        tenant_id uuid NOT NULL
          CONSTRAINT entitlement_overrides_tenant_id_fkey REFERENCES tenants (id) ON DELETE CASCADE,
        plan text CONSTRAINT entitlement_overrides_plan_check CHECK (plan IN ('Free', 'Pro', 'Business')),
        entitlements jsonb NOT NULL,
        ends_at timestamptz NOT NULL,
        reason text NOT NULL,
        created_by uuid CONSTRAINT entitlement_overrides_created_by_fkey REFERENCES users (id) ON DELETE SET NULL,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        CONSTRAINT entitlement_overrides_pkey PRIMARY KEY (tenant_id)
      )`);
    await runner.query('CREATE INDEX entitlement_overrides_created_by_idx ON entitlement_overrides (created_by)');
    await runner.query('ALTER TABLE entitlement_overrides ENABLE ROW LEVEL SECURITY');
    await runner.query('ALTER TABLE entitlement_overrides FORCE ROW LEVEL SECURITY');
    await runner.query(`
      CREATE POLICY tenant_isolation ON entitlement_overrides
      USING ((SELECT app_across_tenants()) OR tenant_id = (SELECT app_tenant_id()))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE entitlement_overrides');
  }
}
