import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Requests of operators to reset a lost second factor. */
export class FactorResets1765420000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE factor_resets (
        id uuid CONSTRAINT factor_resets_pkey PRIMARY KEY,
        user_id uuid NOT NULL CONSTRAINT factor_resets_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
        reason text NOT NULL,
        state text NOT NULL CONSTRAINT factor_resets_state_check
          CHECK (state IN ('requested', 'approved', 'done', 'canceled', 'stopped', 'expired')),
        requested_by uuid NOT NULL,
        requested_at timestamptz NOT NULL,
        approved_by uuid,
        approved_at timestamptz,
        closed_by uuid,
        closed_at timestamptz,
        CONSTRAINT factor_resets_second_operator_check
          CHECK (approved_by <> requested_by AND approved_by <> user_id AND requested_by <> user_id)
      )`);
    await runner.query('CREATE UNIQUE INDEX factor_resets_open_key ON factor_resets (user_id) WHERE closed_at IS NULL');
    await runner.query('CREATE INDEX factor_resets_user_id_id_idx ON factor_resets (user_id, id)');
    await runner.query('CREATE INDEX factor_resets_state_id_idx ON factor_resets (state, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE factor_resets');
  }
}
