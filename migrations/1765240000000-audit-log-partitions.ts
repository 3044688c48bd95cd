import type { MigrationInterface, QueryRunner } from 'typeorm';
import { AUDIT_LOG_FUNCTIONS, auditLogFunctions } from './parts/audit-log-partitions';

const INDEXES = `
  ALTER TABLE audit_log ADD CONSTRAINT audit_log_pkey PRIMARY KEY (id);
  CREATE INDEX audit_log_tenant_id_id_idx ON audit_log (tenant_id, id);
  CREATE INDEX audit_log_actor_id_id_idx ON audit_log (actor_id, id);
  CREATE INDEX audit_log_target_id_id_idx ON audit_log (target_id, id);
  CREATE INDEX audit_log_action_id_idx ON audit_log (action, id);
  CREATE INDEX audit_log_impersonator_id_id_idx ON audit_log (impersonator_id, id) WHERE impersonator_id IS NOT NULL`;

const PROTECTION = `
  ALTER TABLE audit_log ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
  CREATE POLICY tenant_isolation ON audit_log FOR SELECT
  USING (tenant_id = (SELECT app_tenant_id()) OR (SELECT app_across_tenants()));
  CREATE POLICY scope_appends ON audit_log FOR INSERT
  WITH CHECK (tenant_id IS NULL OR tenant_id = (SELECT app_tenant_id()) OR (SELECT app_across_tenants())
              OR ((SELECT app_tenant_id()) IS NULL AND target_type IN ('session', 'user')));
  CREATE TRIGGER audit_log_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_audit_log()`;

/** Frees the names of the indexes for those of the partitioned table. */
const RENAME_INDEXES = `
  DO $$
  DECLARE index text;
  BEGIN
    FOR index IN SELECT indexrelid::regclass FROM pg_index WHERE indrelid = 'audit_log'::regclass LOOP
      EXECUTE format('ALTER INDEX %s RENAME TO %I', index, replace(index, 'audit_log', 'audit_log_past'));
    END LOOP;
  END $$`;

/** A running service keeps its privileges, on the partitioned table only. */
const MOVE_GRANTS = `
  DO $$
  DECLARE granted record;
  BEGIN
    FOR granted IN SELECT DISTINCT a.grantee::regrole AS role FROM pg_class c, aclexplode(c.relacl) a
                    WHERE c.oid = 'audit_log_past'::regclass AND a.grantee NOT IN (0, c.relowner) LOOP
      EXECUTE format('GRANT SELECT, INSERT ON audit_log TO %1$s; REVOKE ALL ON audit_log_past FROM %1$s', granted.role);
    END LOOP;
  END $$`;

/**
 * Partitions the audit log by its ids, which contain the time
 * (docs/decisions/0038-audit-log-partitions.md). The existing table
 * becomes the partition of everything before the next month: no entry is copied, and its indexes
 * stay. PostgreSQL reads it once to check the bound; the audit log is locked meanwhile.
 */
export class AuditLogPartitions1765240000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const [{ schema }] = (await runner.query('SELECT quote_ident(current_schema()) AS schema')) as { schema: string }[];
    await runner.query(`SET LOCAL app.across_tenants = 'on'`);
    await runner.query('LOCK TABLE audit_log IN ACCESS EXCLUSIVE MODE');
    await runner.query(RENAME_INDEXES);
    await runner.query('ALTER TABLE audit_log RENAME TO audit_log_past');
    await runner.query('CREATE TABLE audit_log (LIKE audit_log_past) PARTITION BY RANGE (id)');
    await runner.query(INDEXES);
    await runner.query(PROTECTION);
    for (const sql of auditLogFunctions(schema)) await runner.query(sql);
    await runner.query('SELECT create_audit_log_months(audit_log_month(1), audit_log_month(4))');
    await runner.query(
      `SELECT attach_audit_log_partition('audit_log_past', NULL, audit_log_bound(audit_log_month(1)))`,
    );
    await runner.query(MOVE_GRANTS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`SET LOCAL app.across_tenants = 'on'`);
    for (const name of AUDIT_LOG_FUNCTIONS) await runner.query(`DROP FUNCTION ${name}`);
    await runner.query('ALTER TABLE audit_log RENAME TO audit_log_partitioned');
    await runner.query('CREATE TABLE audit_log (LIKE audit_log_partitioned)');
    await runner.query('INSERT INTO audit_log SELECT * FROM audit_log_partitioned');
    await runner.query('DROP TABLE audit_log_partitioned');
    await runner.query(INDEXES);
    await runner.query(PROTECTION);
  }
}
