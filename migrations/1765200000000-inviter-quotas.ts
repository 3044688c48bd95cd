import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Invitations that a user sent in a day over all tenants on the Free plan. Deleting a tenant does
 * not reset the count.
 */
export class InviterQuotas1765200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE inviter_quotas (
        user_id uuid NOT NULL,
        window_started_at timestamptz NOT NULL,
        sent integer NOT NULL,
        CONSTRAINT inviter_quotas_pkey PRIMARY KEY (user_id)
      )`);
    await runner.query('CREATE INDEX inviter_quotas_window_started_at_idx ON inviter_quotas (window_started_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE inviter_quotas');
  }
}
