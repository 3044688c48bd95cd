import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An index of a user's memberships by age. Created concurrently and therefore outside of a
 * transaction: an invalid index of a failed attempt is created again.
 */
export class MembershipsByPerson1765030090000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS memberships_user_id_joined_at_idx');
    await runner.query(
      'CREATE INDEX CONCURRENTLY memberships_user_id_joined_at_idx ON memberships (user_id, joined_at, tenant_id)',
    );
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS memberships_user_id_idx');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX memberships_user_id_idx ON memberships (user_id)');
    await runner.query('DROP INDEX memberships_user_id_joined_at_idx');
  }
}
