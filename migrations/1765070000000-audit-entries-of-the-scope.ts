import type { MigrationInterface, QueryRunner } from 'typeorm';

/** In a tenant's scope, audit entries of other tenants cannot be inserted. */
export class AuditEntriesOfTheScope1765070000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP POLICY anybody_appends ON audit_log');
    // Sessions begin and end before any tenant is known, in one statement with their entry, which
    // belongs to the session's active tenant.
    await runner.query(`
      CREATE POLICY scope_appends ON audit_log FOR INSERT
      WITH CHECK (tenant_id IS NULL OR tenant_id = (SELECT app_tenant_id()) OR (SELECT app_across_tenants())
                  OR ((SELECT app_tenant_id()) IS NULL AND target_type IN ('session', 'user')))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP POLICY scope_appends ON audit_log');
    await runner.query('CREATE POLICY anybody_appends ON audit_log FOR INSERT WITH CHECK (true)');
  }
}
