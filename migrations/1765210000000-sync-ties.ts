import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The subscriptions of a sync run that were created in the same second as the oldest one read so
 * far. The next page may contain more of that second, so only then is it known which are missing
 * (docs/contract.md, Sync).
 */
export class SyncTies1765210000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE sync_ties (
        run_id uuid NOT NULL CONSTRAINT sync_ties_run_id_fkey REFERENCES sync_runs ON DELETE CASCADE,
        subscription_id text NOT NULL,
        created_at timestamptz NOT NULL,
        CONSTRAINT sync_ties_pkey PRIMARY KEY (run_id, subscription_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sync_ties');
  }
}
