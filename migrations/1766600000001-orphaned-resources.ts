import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What members who left had made, and what happens to it unless somebody takes it over. */
export class OrphanedResources1766600000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE orphaned_resources (
        tenant_id uuid NOT NULL
          CONSTRAINT orphaned_resources_tenant_id_fkey REFERENCES tenants (id) ON DELETE CASCADE,
        id uuid NOT NULL,
        kind text NOT NULL
          CONSTRAINT orphaned_resources_kind_check
          CHECK (kind IN ('service-account', 'webhook-endpoint', 'audit-stream')),
        resource_id uuid NOT NULL,
        left_by uuid CONSTRAINT orphaned_resources_left_by_fkey REFERENCES users (id) ON DELETE SET NULL,
        left_at timestamptz NOT NULL,
        reminded_at timestamptz,
        CONSTRAINT orphaned_resources_pkey PRIMARY KEY (tenant_id, id),
        CONSTRAINT orphaned_resources_resource_key UNIQUE (tenant_id, resource_id, left_by)
      )`);
    await runner.query('CREATE INDEX orphaned_resources_left_by_idx ON orphaned_resources (left_by)');
    await runner.query('CREATE INDEX orphaned_resources_left_at_idx ON orphaned_resources (left_at)');
    await runner.query('ALTER TABLE orphaned_resources ENABLE ROW LEVEL SECURITY');
    await runner.query('ALTER TABLE orphaned_resources FORCE ROW LEVEL SECURITY');
    await runner.query(`
      CREATE POLICY tenant_isolation ON orphaned_resources
      USING ((SELECT app_across_tenants()) OR tenant_id = (SELECT app_tenant_id()))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE orphaned_resources');
  }
}
