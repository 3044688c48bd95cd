import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Passkeys, the handles by which authenticators know users, and challenges to be signed. */
export class Passkeys1765410000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE passkeys (
        id bytea CONSTRAINT passkeys_pkey PRIMARY KEY,
        user_id uuid NOT NULL CONSTRAINT passkeys_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
        public_key bytea NOT NULL,
        counter bigint NOT NULL,
        transports text[] NOT NULL,
        aaguid uuid,
        is_backed_up boolean NOT NULL,
        is_proven boolean NOT NULL,
        name text NOT NULL,
        created_at timestamptz NOT NULL,
        last_used_at timestamptz
      )`);
    await runner.query('CREATE INDEX passkeys_user_id_idx ON passkeys (user_id)');
    await runner.query(`
      CREATE TABLE user_handles (
        user_id uuid CONSTRAINT user_handles_pkey PRIMARY KEY
          CONSTRAINT user_handles_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
        handle bytea NOT NULL CONSTRAINT user_handles_handle_key UNIQUE
      )`);
    await runner.query(`
      CREATE TABLE passkey_challenges (
        hash bytea CONSTRAINT passkey_challenges_pkey PRIMARY KEY,
        purpose text NOT NULL,
        user_id uuid CONSTRAINT passkey_challenges_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
        expires_at timestamptz NOT NULL
      )`);
    await runner.query('CREATE INDEX passkey_challenges_user_id_idx ON passkey_challenges (user_id)');
    await runner.query('CREATE INDEX passkey_challenges_expires_at_idx ON passkey_challenges (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['passkey_challenges', 'user_handles', 'passkeys']) await runner.query(`DROP TABLE ${table}`);
  }
}
