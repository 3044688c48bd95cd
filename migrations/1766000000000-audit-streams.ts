import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A position orders entries so that none appears behind one that a stream has read: those of
 * transactions that may still commit lie behind the horizon. `npm run migrate` raises the offset
 * after a restore into another cluster, whose transactions are counted anew.
 */
const FUNCTIONS = `
  CREATE OR REPLACE FUNCTION audit_log_offset() RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT 0::bigint';
  COMMENT ON FUNCTION audit_log_offset IS 'Greater than the positions of entries from an earlier cluster';

  CREATE OR REPLACE FUNCTION audit_log_position() RETURNS bigint LANGUAGE sql VOLATILE
  AS 'SELECT audit_log_offset() + pg_current_xact_id()::text::bigint';
  COMMENT ON FUNCTION audit_log_position IS 'The position of entries that the running transaction adds';

  CREATE OR REPLACE FUNCTION audit_log_horizon() RETURNS bigint LANGUAGE sql STABLE
  AS 'SELECT audit_log_offset() + pg_snapshot_xmin(pg_current_snapshot())::text::bigint';
  COMMENT ON FUNCTION audit_log_horizon IS 'Entries before this position are complete: none is added any more'`;

/** Entries that exist have ended transactions: their position is 0, and no row is written. */
const POSITIONS = `
  ALTER TABLE audit_log ADD COLUMN IF NOT EXISTS position bigint NOT NULL DEFAULT 0;
  ALTER TABLE audit_log ALTER COLUMN position SET DEFAULT audit_log_position()`;

/** The receivers of the tenants' audit logs (docs/decisions/0060-audit-streams.md). */
export class AuditStreams1766000000000 implements MigrationInterface {
  /** Each table is locked in a transaction of its own. A repetition finds what exists. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(FUNCTIONS);
    await runner.query(POSITIONS);
    await runner.query(`
      CREATE TABLE IF NOT EXISTS audit_streams (
        tenant_id uuid NOT NULL
          CONSTRAINT audit_streams_tenant_id_fkey REFERENCES tenants (id) ON DELETE CASCADE,
        id uuid NOT NULL,
        url text NOT NULL,
        description text NOT NULL,
        keys_enc text NOT NULL,
        public_key text NOT NULL,
        old_keys_until timestamptz,
        authorization_enc text,
        disabled_at timestamptz,
        disabled_why text CONSTRAINT audit_streams_disabled_why_check
          CHECK (disabled_why IN ('user', 'gone', 'failing')),
        failing_since timestamptz,
        failures integer NOT NULL,
        last_error text,
        last_success_at timestamptz,
        next_at timestamptz NOT NULL,
        since_id uuid NOT NULL,
        sent_position bigint NOT NULL,
        sent_id uuid NOT NULL,
        created_at timestamptz NOT NULL,
        CONSTRAINT audit_streams_pkey PRIMARY KEY (tenant_id, id)
      )`);
    await runner.query(
      'CREATE INDEX IF NOT EXISTS audit_streams_next_at_idx ON audit_streams (next_at) WHERE disabled_at IS NULL',
    );
    await runner.query('ALTER TABLE audit_streams ENABLE ROW LEVEL SECURITY');
    await runner.query('ALTER TABLE audit_streams FORCE ROW LEVEL SECURITY');
    await runner.query(`
      DROP POLICY IF EXISTS tenant_isolation ON audit_streams;
      CREATE POLICY tenant_isolation ON audit_streams
      USING (tenant_id = (SELECT app_tenant_id()) OR (SELECT app_across_tenants()))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audit_streams');
    await runner.query('ALTER TABLE audit_log DROP COLUMN position');
    for (const name of ['audit_log_horizon', 'audit_log_position', 'audit_log_offset'])
      await runner.query(`DROP FUNCTION ${name}`);
  }
}
