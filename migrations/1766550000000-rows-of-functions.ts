import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many rows a function usually returns; PostgreSQL assumes 1,000 otherwise. */
const ROWS = {
  membership_of: 1,
  session_membership_of: 1,
  api_key_of: 1,
  memberships_of: 5,
  unread_of: 5,
  search_terms_of: 5,
  audit_log_partitions: 20,
  drop_expired_audit_log_partitions: 1,
};

/** The rows of a function that has no ROWS of its own. */
const DEFAULT_ROWS = 1000;

/**
 * A statement that calls three of these functions was planned for 10⁹ rows. Where `jit` is on, as
 * PostgreSQL's default is, the server compiled it for longer than it ran.
 */
export class RowsOfFunctions1766550000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const [name, rows] of Object.entries(ROWS)) await runner.query(`ALTER FUNCTION ${name} ROWS ${rows}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(ROWS)) await runner.query(`ALTER FUNCTION ${name} ROWS ${DEFAULT_ROWS}`);
  }
}
