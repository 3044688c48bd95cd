import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes of the operators' panel, and job counts by minute. */
export class OperatorsPanel1764900000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE job_counts (
        minute timestamptz NOT NULL,
        task text NOT NULL,
        done integer NOT NULL,
        failed integer NOT NULL,
        CONSTRAINT job_counts_pkey PRIMARY KEY (minute, task)
      )`);
    await runner.query('CREATE INDEX webhook_events_type_id_idx ON webhook_events (type, id)');
    await runner.query('CREATE INDEX webhook_events_tenant_id_id_idx ON webhook_events (tenant_id, id)');

    // Tenants by plan and status.
    await runner.query(
      'CREATE INDEX subscriptions_plan_status_tenant_id_idx ON subscriptions (plan, status, tenant_id)',
    );

    // Partial indexes of accounts in rare states, in the order of the list.
    await runner.query('CREATE INDEX users_disabled_id_idx ON users (id) WHERE disabled_at IS NOT NULL');
    await runner.query('CREATE INDEX users_unverified_id_idx ON users (id) WHERE NOT is_email_verified');
    await runner.query('CREATE INDEX users_admin_id_idx ON users (id) WHERE is_admin');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const state of ['admin', 'unverified', 'disabled']) await runner.query(`DROP INDEX users_${state}_id_idx`);
    await runner.query('DROP INDEX subscriptions_plan_status_tenant_id_idx');
    for (const column of ['tenant_id', 'type']) await runner.query(`DROP INDEX webhook_events_${column}_id_idx`);
    await runner.query('DROP TABLE job_counts');
  }
}
