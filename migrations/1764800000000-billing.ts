import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Internal state of subscriptions, and the runs of the sync. */
export class Billing1764800000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE subscriptions
        ADD processor_status text,
        ADD subscription_created_at timestamptz,
        ADD as_of timestamptz,
        ADD had_trial boolean NOT NULL DEFAULT false,
        ADD told_past_due boolean NOT NULL DEFAULT false,
        ADD preparing_until timestamptz,
        ADD asked_at timestamptz`);
    await runner.query(`ALTER TABLE subscriptions NO FORCE ROW LEVEL SECURITY`); // whoever migrates is in no tenant
    await runner.query(`
      UPDATE subscriptions
         SET had_trial = trial_ends_at IS NOT NULL, told_past_due = status = 'PastDue',
             processor_status = CASE WHEN processor_subscription_id IS NOT NULL
               AND status = 'Canceled' THEN 'canceled' END`);
    await runner.query(`ALTER TABLE subscriptions FORCE ROW LEVEL SECURITY`);
    await runner.query(`
      CREATE TABLE sync_runs (
        id uuid CONSTRAINT sync_runs_pkey PRIMARY KEY,
        slot timestamptz NOT NULL CONSTRAINT sync_runs_slot_key UNIQUE,
        started_at timestamptz NOT NULL,
        finished_at timestamptz,
        since timestamptz,
        cursor text,
        has_read_all boolean NOT NULL DEFAULT false,
        seen integer NOT NULL DEFAULT 0,
        corrected integer NOT NULL DEFAULT 0,
        "unknown" integer NOT NULL DEFAULT 0
      )`);
    // A deleted tenant takes its subscription along, unless that lives at Stripe and would be
    // charged forever (docs/contract.md, Tenant operations).
    await runner.query(`
      CREATE FUNCTION keep_live_subscription() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF OLD.processor_subscription_id IS NOT NULL
          AND coalesce(OLD.processor_status, '') NOT IN ('canceled', 'incomplete_expired') THEN
          RAISE EXCEPTION 'a subscription that lives at the processor is not deleted' USING ERRCODE = '23503',
            CONSTRAINT = 'subscriptions_live';
        END IF;
        RETURN OLD;
      END $$`);
    await runner.query(
      'CREATE TRIGGER keep_live BEFORE DELETE ON subscriptions FOR EACH ROW EXECUTE FUNCTION keep_live_subscription()',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER keep_live ON subscriptions');
    await runner.query('DROP FUNCTION keep_live_subscription');
    await runner.query('DROP TABLE sync_runs');
    await runner.query(`
      ALTER TABLE subscriptions
        DROP processor_status, DROP subscription_created_at, DROP as_of, DROP had_trial,
        DROP told_past_due, DROP preparing_until, DROP asked_at`);
  }
}
