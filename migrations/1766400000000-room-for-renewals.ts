import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Leaves room in new pages of subscriptions: a renewal changes no indexed column, so that its row
 * stays on its page, and the six indexes are not changed (HOT). Existing pages stay as they are.
 */
export class RoomForRenewals1766400000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE subscriptions SET (fillfactor = 80)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE subscriptions RESET (fillfactor)');
  }
}
