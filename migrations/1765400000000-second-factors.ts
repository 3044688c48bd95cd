import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Authenticator apps, recovery codes, and sign-ins that wait for a second factor. */
export class SecondFactors1765400000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users ADD has_second_factor boolean NOT NULL DEFAULT false');
    await runner.query(`
      ALTER TABLE sessions
        ADD methods text[] NOT NULL DEFAULT '{}',
        ADD second_factor_at timestamptz,
        ADD proved_at timestamptz`);
    await runner.query(`
      CREATE TABLE totp_factors (
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
      CREATE TABLE recovery_codes (
        user_id uuid NOT NULL CONSTRAINT recovery_codes_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
        code_hash bytea NOT NULL,
        created_at timestamptz NOT NULL,
        CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, code_hash)
      )`);
    await runner.query(`
      CREATE TABLE sign_in_tickets (
        token_hash bytea CONSTRAINT sign_in_tickets_pkey PRIMARY KEY,
        user_id uuid NOT NULL CONSTRAINT sign_in_tickets_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
        sign_in jsonb NOT NULL,
        active_tenant_id uuid,
        attempts integer NOT NULL,
        expires_at timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX sign_in_tickets_user_id_idx ON sign_in_tickets (user_id)');
    await runner.query('CREATE INDEX sign_in_tickets_expires_at_idx ON sign_in_tickets (expires_at)');
    await runner.query(`
      CREATE TABLE trusted_browsers (
        id uuid CONSTRAINT trusted_browsers_pkey PRIMARY KEY,
        user_id uuid NOT NULL CONSTRAINT trusted_browsers_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
        device_id uuid NOT NULL,
        ip text,
        user_agent text,
        created_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT trusted_browsers_user_id_device_id_key UNIQUE (user_id, device_id)
      )`);
    await runner.query('CREATE INDEX trusted_browsers_expires_at_idx ON trusted_browsers (expires_at)');
    await runner.query(`
      CREATE TABLE email_codes (
        user_id uuid NOT NULL CONSTRAINT email_codes_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
        purpose text NOT NULL,
        code_hash bytea NOT NULL,
        attempts integer NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT email_codes_pkey PRIMARY KEY (user_id, purpose)
      )`);
    await runner.query('CREATE INDEX email_codes_expires_at_idx ON email_codes (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['email_codes', 'trusted_browsers', 'sign_in_tickets', 'recovery_codes', 'totp_factors'])
      await runner.query(`DROP TABLE ${table}`);
    await runner.query('ALTER TABLE sessions DROP methods, DROP second_factor_at, DROP proved_at');
    await runner.query('ALTER TABLE users DROP has_second_factor');
  }
}
