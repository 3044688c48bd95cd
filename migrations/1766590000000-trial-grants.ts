import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Who was granted the trial of which tenant. The tenant has no foreign key: the row stays when the
 * tenant is deleted, so that another tenant does not start another trial.
 */
export class TrialGrants1766590000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE trial_grants (
        granted_to uuid CONSTRAINT trial_grants_pkey PRIMARY KEY,
        user_id uuid NOT NULL CONSTRAINT trial_grants_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
        offered_at timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX trial_grants_user_id_idx ON trial_grants (user_id)');
    await runner.query(`SELECT set_config('app.across_tenants', 'on', true)`);
    // the trials so far count for those who own the tenants now
    await runner.query(`
      INSERT INTO trial_grants (granted_to, user_id, offered_at)
      SELECT s.tenant_id, m.user_id, s.updated_at
        FROM subscriptions s JOIN memberships m ON m.tenant_id = s.tenant_id AND m.is_owner
       WHERE s.had_trial`);
    await runner.query(`SELECT set_config('app.across_tenants', '', true)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE trial_grants');
  }
}
