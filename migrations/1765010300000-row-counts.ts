import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Row counts by state without counting. Each transaction inserts its differences as new rows, so
 * transactions do not wait for each other and a rollback removes them. From time to time they are
 * folded into one row per state. The sum is exact at any time.
 */
export class RowCounts1765010300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE row_counts (
        name text NOT NULL,
        state text NOT NULL,
        n bigint NOT NULL,
        CONSTRAINT row_counts_pkey PRIMARY KEY (name, state)
      )`);
    await runner.query('CREATE TABLE row_count_changes (name text NOT NULL, state text NOT NULL, n bigint NOT NULL)');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['row_count_changes', 'row_counts']) await runner.query(`DROP TABLE ${table}`);
  }
}
