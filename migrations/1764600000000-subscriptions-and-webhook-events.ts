import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['subscriptions', 'webhook_events'];

/** Subscriptions, one per tenant that has or had one, and the inbox of webhook events. */
export class SubscriptionsAndWebhookEvents1764600000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE subscriptions (
        tenant_id uuid CONSTRAINT subscriptions_pkey PRIMARY KEY
          CONSTRAINT subscriptions_tenant_id_fkey REFERENCES tenants (id) ON DELETE CASCADE,
        processor_customer_id text CONSTRAINT subscriptions_processor_customer_id_key UNIQUE,
        processor_subscription_id text CONSTRAINT subscriptions_processor_subscription_id_key UNIQUE,
        plan text NOT NULL CONSTRAINT subscriptions_plan_check CHECK (plan IN ('Free', 'Pro', 'Business')),
        status text NOT NULL CONSTRAINT subscriptions_status_check CHECK (status IN ('Active', 'Trialing', 'PastDue',
          'Canceled', 'Paused')),
        current_period_end timestamptz,
        cancel_at_period_end boolean NOT NULL DEFAULT false,
        trial_ends_at timestamptz,
        updated_at timestamptz NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE webhook_events (
        id uuid CONSTRAINT webhook_events_pkey PRIMARY KEY,
        event_id text NOT NULL CONSTRAINT webhook_events_event_id_key UNIQUE,
        type text NOT NULL,
        status text NOT NULL CONSTRAINT webhook_events_status_check CHECK (status IN ('processed', 'ignored',
          'failed', 'needs-attention')),
        tenant_id uuid,
        created_at timestamptz NOT NULL,
        received_at timestamptz NOT NULL,
        attempts integer NOT NULL DEFAULT 0,
        error text,
        payload jsonb NOT NULL
      )`);
    await runner.query('CREATE INDEX webhook_events_status_id_idx ON webhook_events (status, id)');
    for (const table of TABLES) {
      await runner.query(`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`);
      await runner.query(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`);
      await runner.query(`
        CREATE POLICY tenant_isolation ON ${table}
        USING (tenant_id = (SELECT app_tenant_id()) OR (SELECT app_across_tenants()))`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES.reverse()) await runner.query(`DROP TABLE ${table}`);
  }
}
