import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Users change the address of their account, and the owner of the earlier mailbox can undo it. */
export class EmailChanges1765450000000 implements MigrationInterface {
  /** Each table is locked in a transaction of its own. A repetition finds what exists. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE one_time_tokens ADD COLUMN IF NOT EXISTS mailed_to text');
    await runner.query(`
      CREATE TABLE IF NOT EXISTS email_change_requests (
        user_id uuid CONSTRAINT email_change_requests_pkey PRIMARY KEY
          CONSTRAINT email_change_requests_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
        email text NOT NULL,
        requests integer NOT NULL,
        since timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX IF NOT EXISTS email_change_requests_since_idx ON email_change_requests (since)');
    await runner.query(`
      CREATE TABLE IF NOT EXISTS email_changes (
        id uuid CONSTRAINT email_changes_pkey PRIMARY KEY,
        user_id uuid NOT NULL CONSTRAINT email_changes_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
        number integer NOT NULL,
        old_email text NOT NULL,
        changed_at timestamptz NOT NULL,
        undo_until timestamptz NOT NULL,
        undo_token_hash bytea CONSTRAINT email_changes_undo_token_hash_key UNIQUE,
        CONSTRAINT email_changes_user_id_number_key UNIQUE (user_id, number)
      )`);
    await runner.query('CREATE INDEX IF NOT EXISTS email_changes_undo_until_idx ON email_changes (undo_until)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE email_changes, email_change_requests');
    await runner.query('ALTER TABLE one_time_tokens DROP mailed_to');
  }
}
