import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The audit log. Rows are only added. They outlive their tenant, so there is no foreign key. */
export class AuditLog1764200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audit_log (
        id uuid CONSTRAINT audit_log_pkey PRIMARY KEY,
        at timestamptz NOT NULL,
        action text NOT NULL,
        actor_id uuid,
        impersonator_id uuid,
        tenant_id uuid,
        target_type text NOT NULL,
        target_id text NOT NULL,
        ip text,
        request_id text NOT NULL,
        data jsonb NOT NULL
      )`);
    await runner.query('CREATE INDEX audit_log_tenant_id_id_idx ON audit_log (tenant_id, id)');
    await runner.query('ALTER TABLE audit_log ENABLE ROW LEVEL SECURITY');
    await runner.query('ALTER TABLE audit_log FORCE ROW LEVEL SECURITY');
    await runner.query(`
      CREATE POLICY tenant_isolation ON audit_log FOR SELECT
      USING (tenant_id = (SELECT app_tenant_id()) OR (SELECT app_across_tenants()))`);
    // Any transaction may append, in a tenant's scope or without one (sign-in). Reading is
    // restricted to a scope.
    await runner.query('CREATE POLICY anybody_appends ON audit_log FOR INSERT WITH CHECK (true)');
    await runner.query(`
      CREATE FUNCTION refuse_change_of_audit_log() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'insufficient_privilege';
      END $$`);
    await runner.query(`
      CREATE TRIGGER audit_log_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_audit_log()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audit_log');
    await runner.query('DROP FUNCTION refuse_change_of_audit_log');
  }
}
