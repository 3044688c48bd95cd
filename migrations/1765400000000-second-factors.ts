import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Authenticator apps, recovery codes, and sign-ins that wait for a second factor. */
export class SecondFactors1765400000000 implements MigrationInterface {
  /** Each table is locked in a transaction of its own. A repetition finds what exists. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users ADD COLUMN IF NOT EXISTS has_second_factor boolean NOT NULL DEFAULT false');
    await runner.query(`
      ALTER TABLE sessions
        ADD COLUMN IF NOT EXISTS methods text[] NOT NULL DEFAULT '{}',
        ADD COLUMN IF NOT EXISTS second_factor_at timestamptz,
        ADD COLUMN IF NOT EXISTS proved_at timestamptz`);
    await runner.query(`
      CREATE TABLE IF NOT EXISTS totp_factors (
        user_id uuid CONSTRAINT totp_factors_pkey PRIMARY KEY
          CONSTRAINT totp_factors_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
        secret_enc text NOT NULL,
        last_step integer NOT NULL,
        attempts integer NOT NULL,
        attempts_since timestamptz NOT NULL,
        attempts_in_row integer NOT NULL,
        confirmed_at timestamptz,
        created_at timestamptz NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE IF NOT EXISTS recovery_codes (
        user_id uuid NOT NULL CONSTRAINT recovery_codes_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
        code_hash bytea NOT NULL,
        created_at timestamptz NOT NULL,
        CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, code_hash)
      )`);
    await runner.query(`
      CREATE TABLE IF NOT EXISTS sign_in_tickets (
        token_hash bytea CONSTRAINT sign_in_tickets_pkey PRIMARY KEY,
        user_id uuid NOT NULL CONSTRAINT sign_in_tickets_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
        sign_in jsonb NOT NULL,
        active_tenant_id uuid,
        attempts integer NOT NULL,
        expires_at timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX IF NOT EXISTS sign_in_tickets_user_id_idx ON sign_in_tickets (user_id)');
    await runner.query('CREATE INDEX IF NOT EXISTS sign_in_tickets_expires_at_idx ON sign_in_tickets (expires_at)');
    await runner.query(`
      CREATE TABLE IF NOT EXISTS trusted_browsers (
        id uuid CONSTRAINT trusted_browsers_pkey PRIMARY KEY,
        user_id uuid NOT NULL CONSTRAINT trusted_browsers_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
        device_id uuid NOT NULL,
        ip text,
        user_agent text,
        created_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT trusted_browsers_user_id_device_id_key UNIQUE (user_id, device_id)
      )`);
    await runner.query('CREATE INDEX IF NOT EXISTS trusted_browsers_expires_at_idx ON trusted_browsers (expires_at)');
    await runner.query(`
      CREATE TABLE IF NOT EXISTS email_codes (
        user_id uuid NOT NULL CONSTRAINT email_codes_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
        purpose text NOT NULL,
        code_hash bytea NOT NULL,
        attempts integer NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT email_codes_pkey PRIMARY KEY (user_id, purpose)
      )`);
    await runner.query('CREATE INDEX IF NOT EXISTS email_codes_expires_at_idx ON email_codes (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['email_codes', 'trusted_browsers', 'sign_in_tickets', 'recovery_codes', 'totp_factors'])
      await runner.query(`DROP TABLE ${table}`);
    await runner.query('ALTER TABLE sessions DROP methods, DROP second_factor_at, DROP proved_at');
    await runner.query('ALTER TABLE users DROP has_second_factor');
  }
}
