import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The projects of tenants. The example of docs/add-a-module.md. */
export class Projects1764400000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE projects (
        tenant_id uuid NOT NULL CONSTRAINT projects_tenant_id_fkey REFERENCES tenants (id) ON DELETE CASCADE,
        id uuid NOT NULL,
        name text NOT NULL,
        archived boolean NOT NULL,
        created_at timestamptz NOT NULL,
        CONSTRAINT projects_pkey PRIMARY KEY (tenant_id, id)
      )`);
    await runner.query('ALTER TABLE projects ENABLE ROW LEVEL SECURITY');
    await runner.query('ALTER TABLE projects FORCE ROW LEVEL SECURITY');
    await runner.query(`
      CREATE POLICY tenant_isolation ON projects
      USING (tenant_id = (SELECT app_tenant_id()) OR (SELECT app_across_tenants()))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE projects');
  }
}
