import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Revoked access tokens. */
export class AccessRevocations1765040100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE access_revocations (
        id uuid CONSTRAINT access_revocations_pkey PRIMARY KEY,
        revoked_at timestamptz NOT NULL,
        keys text[] NOT NULL
      )`);
    await runner.query('CREATE INDEX access_revocations_revoked_at_idx ON access_revocations (revoked_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE access_revocations');
  }
}
