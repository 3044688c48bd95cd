import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ERASE_AUDIT_DETAILS } from './parts/audit-log-erasure';

/** A statement for the table and its partitions; new partitions copy the table's policies. */
const onAll = (statement: string) => `
  DO $$
  DECLARE relation text;
  BEGIN
    FOR relation IN SELECT 'audit_log' UNION ALL SELECT name FROM audit_log_partitions() LOOP
      EXECUTE format('${statement}', relation);
    END LOOP;
  END $$`;

const ADD_POLICY = onAll('CREATE POLICY erasure ON %I FOR UPDATE USING ((SELECT app_across_tenants()))');
const DROP_POLICY = onAll('DROP POLICY IF EXISTS erasure ON %I');

/** Of the table only: no statement changes a partition directly. */
const REFUSE = (events: string) => `
  DROP TRIGGER audit_log_is_append_only ON audit_log;
  CREATE TRIGGER audit_log_is_append_only BEFORE ${events} ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_audit_log()`;

/** What remains to be erased after an account was deleted, and the indexes by which it is found. */
export class ErasureOfDeletedAccounts1765460000001 implements MigrationInterface {
  /** Each table is locked in a transaction of its own. A repetition finds what exists. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const [{ schema }] = (await runner.query('SELECT quote_ident(current_schema()) AS schema')) as { schema: string }[];
    await runner.query(`
      CREATE TABLE IF NOT EXISTS account_erasures (
        user_id uuid CONSTRAINT account_erasures_pkey PRIMARY KEY,
        email text,
        erased_at timestamptz NOT NULL,
        deleted_tenant_ids uuid[] NOT NULL,
        left_tenant_ids uuid[] NOT NULL
      )`);
    await runner.query('CREATE INDEX IF NOT EXISTS account_erasures_erased_at_idx ON account_erasures (erased_at)');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS invitations_email_idx');
    await runner.query('CREATE INDEX CONCURRENTLY invitations_email_idx ON invitations (email)');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS notifications_named_idx');
    await runner.query(`
      CREATE INDEX CONCURRENTLY notifications_named_idx ON notifications USING gin (data jsonb_path_ops)
       WHERE kind IN ('InvitationReceived', 'MemberInvited', 'MemberJoined')`);
    await runner.query(
      `CREATE INDEX IF NOT EXISTS audit_log_invited_email_idx ON audit_log ((data ->> 'email'))
        WHERE target_type = 'invitation'`,
    );
    await runner.query(
      [DROP_POLICY, ADD_POLICY, REFUSE('DELETE OR TRUNCATE'), ...ERASE_AUDIT_DETAILS(schema)].join(';'),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER audit_log_is_only_erased ON audit_log');
    await runner.query('DROP FUNCTION erase_audit_details');
    await runner.query('DROP FUNCTION refuse_other_change_of_audit_log');
    await runner.query(REFUSE('UPDATE OR DELETE OR TRUNCATE'));
    await runner.query(DROP_POLICY);
    for (const index of ['audit_log_invited_email_idx', 'notifications_named_idx', 'invitations_email_idx'])
      await runner.query(`DROP INDEX ${index}`);
    await runner.query('DROP TABLE account_erasures');
  }
}
