import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Accounts at identity providers, the admin flag, and the indexes of the admin search. */
export class WaysInAndOperators1764500000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE linked_providers (
        provider text NOT NULL,
        provider_user_id text NOT NULL,
        user_id uuid NOT NULL CONSTRAINT linked_providers_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
        linked_at timestamptz NOT NULL,
        CONSTRAINT linked_providers_pkey PRIMARY KEY (provider, provider_user_id),
        CONSTRAINT linked_providers_user_id_provider_key UNIQUE (user_id, provider)
      )`);
    await runner.query('ALTER TABLE users ADD is_admin boolean NOT NULL DEFAULT false');

    // A trusted extension since PostgreSQL 13: a role with CREATE on the database may create it.
    // `fastupdate` is off, so that no search reads a pending list.
    await runner.query('CREATE EXTENSION IF NOT EXISTS pg_trgm');
    await runner.query(
      `CREATE INDEX users_search_idx ON users USING gin (lower(email || ' ' || name) gin_trgm_ops)
        WITH (fastupdate = off)`,
    );

    // Under row-level security, PostgreSQL only uses an index for operators that are leakproof.
    // Those of trigrams, LIKE and lower() are not, so tenants are found by the beginning of this
    // column.
    await runner.query('ALTER TABLE tenants ADD name_key text');
    await runner.query(`
      CREATE FUNCTION keep_tenant_name_key() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.name_key := lower(NEW.name);
        RETURN NEW;
      END $$`);
    await runner.query(`
      CREATE TRIGGER tenants_keep_name_key BEFORE INSERT OR UPDATE OF name ON tenants
        FOR EACH ROW EXECUTE FUNCTION keep_tenant_name_key()`);
    await runner.query(`SET LOCAL app.across_tenants = 'on'`);
    await runner.query('UPDATE tenants SET name_key = lower(name)');
    await runner.query('ALTER TABLE tenants ALTER name_key SET NOT NULL');
    await runner.query('CREATE INDEX tenants_name_key_idx ON tenants (name_key text_pattern_ops)');

    await runner.query('CREATE INDEX audit_log_actor_id_id_idx ON audit_log (actor_id, id)');
    await runner.query('CREATE INDEX audit_log_target_id_id_idx ON audit_log (target_id, id)');
    await runner.query('CREATE INDEX audit_log_action_id_idx ON audit_log (action, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const column of ['action', 'target_id', 'actor_id'])
      await runner.query(`DROP INDEX audit_log_${column}_id_idx`);
    await runner.query('ALTER TABLE tenants DROP name_key');
    await runner.query('DROP TRIGGER tenants_keep_name_key ON tenants');
    await runner.query('DROP FUNCTION keep_tenant_name_key');
    await runner.query('DROP INDEX users_search_idx'); // the extension stays: others may use it by now
    await runner.query('ALTER TABLE users DROP is_admin');
    await runner.query('DROP TABLE linked_providers');
  }
}
