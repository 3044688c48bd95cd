import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Allows several open links of a user and purpose, so that a new one does not withdraw the others.
 */
export class SeveralLinksAtATime1765050000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE one_time_tokens
        DROP CONSTRAINT one_time_tokens_pkey, DROP CONSTRAINT one_time_tokens_token_hash_key`,
    );
    await runner.query('ALTER TABLE one_time_tokens ADD CONSTRAINT one_time_tokens_pkey PRIMARY KEY (token_hash)');
    await runner.query('CREATE INDEX one_time_tokens_user_id_purpose_idx ON one_time_tokens (user_id, purpose)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM one_time_tokens t USING one_time_tokens newer
       WHERE newer.user_id = t.user_id AND newer.purpose = t.purpose
         AND (newer.expires_at, newer.token_hash) > (t.expires_at, t.token_hash)`);
    await runner.query('DROP INDEX one_time_tokens_user_id_purpose_idx');
    await runner.query('ALTER TABLE one_time_tokens DROP CONSTRAINT one_time_tokens_pkey');
    await runner.query(
      'ALTER TABLE one_time_tokens ADD CONSTRAINT one_time_tokens_pkey PRIMARY KEY (user_id, purpose)',
    );
    await runner.query('ALTER TABLE one_time_tokens ADD CONSTRAINT one_time_tokens_token_hash_key UNIQUE (token_hash)');
  }
}
