import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Answers to writes with an Idempotency-Key, for a day. The table names no caller, tenant or key,
 * only a hash of all three, and the answers are encrypted with the key (docs/decisions/0055).
 */
export class IdempotencyKeys1765600000000 implements MigrationInterface {
  /** Each row is updated once: the free space keeps the update on its page. */
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE idempotency_keys (
        id bytea NOT NULL,
        request_hash bytea NOT NULL,
        claimed_until timestamptz NOT NULL,
        created_at timestamptz NOT NULL,
        status smallint,
        answer text,
        CONSTRAINT idempotency_keys_pkey PRIMARY KEY (id),
        CONSTRAINT idempotency_keys_answer_check CHECK ((status IS NULL) = (answer IS NULL))
      ) WITH (fillfactor = 80)`);
    await runner.query('CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys (created_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE idempotency_keys');
  }
}
