import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Users, sessions, and their tokens. */
export class AccountsAndSessions1764000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE users (
        id uuid CONSTRAINT users_pkey PRIMARY KEY,
        email text NOT NULL CONSTRAINT users_email_key UNIQUE,
        name text NOT NULL,
        password_hash text,
        is_email_verified boolean NOT NULL DEFAULT false,
        picture_url text,
        disabled_at timestamptz,
        created_at timestamptz NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE sessions (
        id uuid CONSTRAINT sessions_pkey PRIMARY KEY,
        user_id uuid NOT NULL CONSTRAINT sessions_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
        created_at timestamptz NOT NULL,
        last_used_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        ip text,
        user_agent text,
        revoked_at timestamptz
      ) WITH (fillfactor = 80)`); // leaves room for HOT updates: every refresh updates a row
    await runner.query('CREATE INDEX sessions_user_id_id_idx ON sessions (user_id, id)');
    await runner.query(`
      CREATE TABLE refresh_tokens (
        id uuid CONSTRAINT refresh_tokens_pkey PRIMARY KEY,
        session_id uuid NOT NULL CONSTRAINT refresh_tokens_session_id_fkey REFERENCES sessions (id) ON DELETE CASCADE,
        token_hash bytea NOT NULL CONSTRAINT refresh_tokens_token_hash_key UNIQUE,
        is_revoked boolean NOT NULL DEFAULT false,
        expires_at timestamptz NOT NULL
      ) WITH (fillfactor = 90)`);
    await runner.query('CREATE INDEX refresh_tokens_session_id_idx ON refresh_tokens (session_id)');
    await runner.query('CREATE INDEX refresh_tokens_expires_at_idx ON refresh_tokens (expires_at)');
    await runner.query(`
      CREATE TABLE one_time_tokens (
        user_id uuid NOT NULL CONSTRAINT one_time_tokens_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
        purpose text NOT NULL,
        token_hash bytea NOT NULL CONSTRAINT one_time_tokens_token_hash_key UNIQUE,
        expires_at timestamptz NOT NULL,
        CONSTRAINT one_time_tokens_pkey PRIMARY KEY (user_id, purpose)
      )`);
    await runner.query('CREATE INDEX one_time_tokens_expires_at_idx ON one_time_tokens (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE one_time_tokens');
    await runner.query('DROP TABLE refresh_tokens');
    await runner.query('DROP TABLE sessions');
    await runner.query('DROP TABLE users');
  }
}
