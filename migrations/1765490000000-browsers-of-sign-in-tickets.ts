import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = ['ip text', 'user_agent text', 'is_known_browser boolean NOT NULL DEFAULT false'];

/** The browser of a sign-in that waits for the second factor: it is reported if nothing follows. */
export class BrowsersOfSignInTickets1765490000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE sign_in_tickets ${COLUMNS.map((column) => `ADD ${column}`).join(', ')}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    const names = COLUMNS.map((column) => `DROP ${column.split(' ')[0]}`);
    await runner.query(`ALTER TABLE sign_in_tickets ${names.join(', ')}`);
  }
}
