import type { MigrationInterface, QueryRunner } from 'typeorm';

const SCOPE = `nullif(current_setting('app.tenant_id', true), '')::uuid`;
const POLICY = `CREATE POLICY tenant_isolation ON tenants USING`;
const IN_SCOPE = 'id = (SELECT app_tenant_id()) OR (SELECT app_across_tenants())';

/**
 * Tenants that are being deleted. They and their rows are invisible while a job deletes the rows in
 * batches. Such a tenant's scope shows no rows, and its own row is visible only to the job that
 * names it.
 */
export class TenantsBeingDeleted1765010200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE tenants ADD deleted_at timestamptz');
    // A table of ids of its own: the policy on tenants reads the scope, so the scope cannot read
    // tenants.
    await runner.query(`
      CREATE TABLE deleted_tenants (
        id uuid CONSTRAINT deleted_tenants_pkey PRIMARY KEY
                CONSTRAINT deleted_tenants_id_fkey REFERENCES tenants (id) ON DELETE CASCADE
      )`);
    await runner.query(`
      CREATE OR REPLACE FUNCTION app_tenant_id() RETURNS uuid LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
      DECLARE tenant uuid := ${SCOPE};
      BEGIN
        IF EXISTS (SELECT FROM deleted_tenants d WHERE d.id = tenant) THEN RETURN NULL; END IF;
        RETURN tenant;
      END $$`);
    await runner.query('DROP POLICY tenant_isolation ON tenants');
    await runner.query(`${POLICY} ((${IN_SCOPE}) AND deleted_at IS NULL)`);
    await runner.query(`
      CREATE FUNCTION app_deleted_tenant_id() RETURNS uuid LANGUAGE sql STABLE
      RETURN nullif(current_setting('app.deleted_tenant_id', true), '')::uuid`);
    await runner.query('CREATE POLICY deletion ON tenants USING (id = (SELECT app_deleted_tenant_id()))');
    // A live subscription prevents the deletion of its tenant (subscriptions_live), as it did with
    // the foreign key.
    await runner.query(`
      CREATE FUNCTION delete_subscription_of_tenant() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM subscriptions WHERE tenant_id = NEW.id;
        RETURN NEW;
      END $$`);
    await runner.query(`
      CREATE TRIGGER tenants_delete_subscription BEFORE UPDATE OF deleted_at ON tenants
      FOR EACH ROW WHEN (NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION delete_subscription_of_tenant()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER tenants_delete_subscription ON tenants');
    await runner.query('DROP FUNCTION delete_subscription_of_tenant');
    for (const policy of ['deletion', 'tenant_isolation']) await runner.query(`DROP POLICY ${policy} ON tenants`);
    await runner.query('DROP FUNCTION app_deleted_tenant_id');
    await runner.query(`${POLICY} (${IN_SCOPE})`);
    await runner.query(`CREATE OR REPLACE FUNCTION app_tenant_id() RETURNS uuid LANGUAGE sql STABLE RETURN ${SCOPE}`);
    await runner.query(`SET LOCAL app.across_tenants = 'on'`);
    await runner.query('DELETE FROM tenants WHERE deleted_at IS NOT NULL');
    await runner.query('DROP TABLE deleted_tenants');
    await runner.query('ALTER TABLE tenants DROP deleted_at');
  }
}
