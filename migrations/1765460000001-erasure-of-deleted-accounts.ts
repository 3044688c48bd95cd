import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ERASE_AUDIT_DETAILS } from './parts/audit-log-erasure';

/** Adds a policy to the table and its partitions; new partitions copy those of the table. */
const ADD_POLICY = `
  DO $$
  DECLARE relation text;
  BEGIN
    FOR relation IN SELECT 'audit_log' UNION ALL SELECT name FROM audit_log_partitions() LOOP
      EXECUTE format('CREATE POLICY erasure ON %I FOR UPDATE USING ((SELECT app_across_tenants()))', relation);
    END LOOP;
  END $$`;

const DROP_POLICY = ADD_POLICY.replace(/CREATE POLICY.*\)\)/, 'DROP POLICY erasure ON %I');

/** Of the table only: no statement changes a partition directly. */
const REFUSE = (events: string) => `
  DROP TRIGGER audit_log_is_append_only ON audit_log;
  CREATE TRIGGER audit_log_is_append_only BEFORE ${events} ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_audit_log()`;

/** What remains to be erased after an account was deleted, and the indexes by which it is found. */
export class ErasureOfDeletedAccounts1765460000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const [{ schema }] = (await runner.query('SELECT quote_ident(current_schema()) AS schema')) as { schema: string }[];
    await runner.query(`
      CREATE TABLE account_erasures (
        user_id uuid CONSTRAINT account_erasures_pkey PRIMARY KEY,
        email text,
        erased_at timestamptz NOT NULL,
        deleted_tenant_ids uuid[] NOT NULL,
        left_tenant_ids uuid[] NOT NULL
      )`);
    await runner.query('CREATE INDEX account_erasures_erased_at_idx ON account_erasures (erased_at)');
    await runner.query('CREATE INDEX invitations_email_idx ON invitations (email)');
    await runner.query(`
      CREATE INDEX notifications_named_idx ON notifications USING gin (data jsonb_path_ops)
       WHERE kind IN ('InvitationReceived', 'MemberInvited', 'MemberJoined')`);
    await runner.query(
      `CREATE INDEX audit_log_invited_email_idx ON audit_log ((data ->> 'email')) WHERE target_type = 'invitation'`,
    );
    await runner.query(ADD_POLICY);
    await runner.query(REFUSE('DELETE OR TRUNCATE'));
    for (const sql of ERASE_AUDIT_DETAILS(schema)) await runner.query(sql);
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
