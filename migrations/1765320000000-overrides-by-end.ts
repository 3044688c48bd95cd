import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For the list of tenants with an override that has not ended. */
export class OverridesByEnd1765320000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX entitlement_overrides_ends_at_tenant_id_idx ON entitlement_overrides (ends_at, tenant_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX entitlement_overrides_ends_at_tenant_id_idx');
  }
}
