import type { MigrationInterface, QueryRunner } from 'typeorm';

const TENANT_TABLES = ['roles', 'memberships', 'invitations'];

/**
 * Tenants with roles, members and invitations, and the functions and policies of row-level
 * security.
 */
export class Tenants1764100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION app_tenant_id() RETURNS uuid LANGUAGE sql STABLE
      RETURN nullif(current_setting('app.tenant_id', true), '')::uuid`);
    await runner.query(`
      CREATE FUNCTION app_user_id() RETURNS uuid LANGUAGE sql STABLE
      RETURN nullif(current_setting('app.user_id', true), '')::uuid`);
    await runner.query(`
      CREATE FUNCTION app_across_tenants() RETURNS boolean LANGUAGE sql STABLE
      RETURN coalesce(current_setting('app.across_tenants', true), '') = 'on'`);

    await runner.query(`
      CREATE TABLE tenants (
        id uuid CONSTRAINT tenants_pkey PRIMARY KEY,
        name text NOT NULL,
        created_at timestamptz NOT NULL
      )`);
    await runner.query(`
      CREATE TABLE roles (
        tenant_id uuid NOT NULL CONSTRAINT roles_tenant_id_fkey REFERENCES tenants (id) ON DELETE CASCADE,
        id uuid NOT NULL,
        name text NOT NULL,
        is_built_in boolean NOT NULL,
        is_owner boolean NOT NULL,
        permissions text[] NOT NULL,
        CONSTRAINT roles_pkey PRIMARY KEY (tenant_id, id),
        CONSTRAINT roles_tenant_id_id_is_owner_key UNIQUE (tenant_id, id, is_owner),
        CONSTRAINT roles_owner_is_built_in_check CHECK (is_built_in OR NOT is_owner),
        CONSTRAINT roles_permissions_check CHECK (is_built_in OR cardinality(permissions) > 0)
      )`);
    await runner.query('CREATE UNIQUE INDEX roles_tenant_id_name_key ON roles (tenant_id, lower(name))');
    // Whether a membership is the Owner's is stored in it, too, for the unique index that allows
    // one. The foreign key keeps both equal.
    await runner.query(`
      CREATE TABLE memberships (
        tenant_id uuid NOT NULL CONSTRAINT memberships_tenant_id_fkey REFERENCES tenants (id) ON DELETE CASCADE,
        user_id uuid NOT NULL CONSTRAINT memberships_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
        id uuid NOT NULL,
        role_id uuid NOT NULL,
        is_owner boolean NOT NULL,
        joined_at timestamptz NOT NULL,
        CONSTRAINT memberships_pkey PRIMARY KEY (tenant_id, user_id),
        CONSTRAINT memberships_role_fkey FOREIGN KEY (tenant_id, role_id, is_owner) REFERENCES roles (tenant_id, id,
          is_owner)
      )`);
    await runner.query('CREATE UNIQUE INDEX memberships_one_owner_idx ON memberships (tenant_id) WHERE is_owner');
    await runner.query('CREATE INDEX memberships_tenant_id_id_idx ON memberships (tenant_id, id)');
    await runner.query('CREATE INDEX memberships_user_id_idx ON memberships (user_id)');
    await runner.query('CREATE INDEX memberships_role_idx ON memberships (tenant_id, role_id, is_owner)');
    await runner.query(`
      CREATE TABLE invitations (
        tenant_id uuid NOT NULL CONSTRAINT invitations_tenant_id_fkey REFERENCES tenants (id) ON DELETE CASCADE,
        id uuid NOT NULL,
        email text NOT NULL,
        role_id uuid NOT NULL,
        invited_by uuid CONSTRAINT invitations_invited_by_fkey REFERENCES users (id) ON DELETE SET NULL,
        token_hash bytea CONSTRAINT invitations_token_hash_key UNIQUE,
        created_at timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT invitations_pkey PRIMARY KEY (tenant_id, id),
        CONSTRAINT invitations_tenant_id_email_key UNIQUE (tenant_id, email),
        CONSTRAINT invitations_role_fkey FOREIGN KEY (tenant_id, role_id) REFERENCES roles (tenant_id, id)
          ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX invitations_role_idx ON invitations (tenant_id, role_id)');
    await runner.query('CREATE INDEX invitations_invited_by_idx ON invitations (invited_by)');
    await runner.query('CREATE INDEX invitations_expires_at_idx ON invitations (expires_at)');

    await isolate(runner, 'tenants', 'id');
    for (const table of TENANT_TABLES) await isolate(runner, table, 'tenant_id');

    // These two functions read across tenants while they run. (A SET clause would be shorter, but
    // only a superuser can give a function one for a custom parameter.) When a statement between
    // fails, its transaction resets the setting. The index above allows at most one Owner; this
    // trigger requires at least one at the end of the transaction.
    await runner.query(`
      CREATE FUNCTION refuse_tenant_without_owner() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        tenant uuid;
        before text := coalesce(current_setting('app.across_tenants', true), '');
      BEGIN
        PERFORM set_config('app.across_tenants', 'on', true);
        IF TG_TABLE_NAME = 'tenants' THEN tenant := NEW.id; ELSE tenant := OLD.tenant_id; END IF;
        IF EXISTS (SELECT FROM tenants t WHERE t.id = tenant) AND NOT EXISTS (SELECT FROM memberships m
          WHERE m.tenant_id = tenant AND m.is_owner) THEN
          RAISE EXCEPTION 'tenant % would have no Owner', tenant USING ERRCODE = 'check_violation',
            CONSTRAINT = 'tenants_have_an_owner';
        END IF;
        PERFORM set_config('app.across_tenants', before, true);
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE CONSTRAINT TRIGGER tenants_have_an_owner AFTER INSERT ON tenants
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse_tenant_without_owner()`);
    await runner.query(`
      CREATE CONSTRAINT TRIGGER memberships_leave_an_owner AFTER UPDATE OR DELETE ON memberships
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.is_owner) EXECUTE FUNCTION refuse_tenant_without_owner()`);

    // The only function that maps a user to their tenants: a token is created in one statement with
    // its session, before any tenant is known.
    await runner.query(`
      CREATE FUNCTION memberships_of(person uuid)
      RETURNS TABLE (id uuid, tenant_id uuid, tenant_name text, tenant_created_at timestamptz,
        role text, is_built_in boolean,
                     permissions text[], joined_at timestamptz)
      LANGUAGE plpgsql STABLE AS $$
      DECLARE before text := coalesce(current_setting('app.across_tenants', true), '');
      BEGIN
        PERFORM set_config('app.across_tenants', 'on', true);
        RETURN QUERY
          SELECT m.id, t.id, t.name, t.created_at, r.name, r.is_built_in, r.permissions, m.joined_at
            FROM memberships m
            JOIN tenants t ON t.id = m.tenant_id
            JOIN roles r ON r.tenant_id = m.tenant_id AND r.id = m.role_id
           WHERE m.user_id = person;
        PERFORM set_config('app.across_tenants', before, true);
      END $$`);
    await runner.query('ALTER TABLE sessions ADD active_tenant_id uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sessions DROP active_tenant_id');
    await runner.query('DROP FUNCTION memberships_of');
    for (const table of [...TENANT_TABLES.reverse(), 'tenants']) await runner.query(`DROP TABLE ${table}`);
    for (const name of ['refuse_tenant_without_owner', 'app_across_tenants', 'app_user_id', 'app_tenant_id']) {
      await runner.query(`DROP FUNCTION ${name}`);
    }
  }
}

/**
 * Restricts a transaction to the rows of its own tenant, also for the table's owner. The
 * sub-selects are evaluated once per statement.
 */
async function isolate(runner: QueryRunner, table: string, tenant: string): Promise<void> {
  await runner.query(`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`);
  await runner.query(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`);
  await runner.query(`
    CREATE POLICY tenant_isolation ON ${table}
    USING (${tenant} = (SELECT app_tenant_id()) OR (SELECT app_across_tenants()))`);
}
