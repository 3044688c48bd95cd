import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a tenant asks of the sessions in which it is active. */
export class SignInPolicies1765430000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE sign_in_policies (
        tenant_id uuid NOT NULL
          CONSTRAINT sign_in_policies_tenant_id_fkey REFERENCES tenants (id) ON DELETE CASCADE,
        second_factor_from timestamptz,
        max_session_hours integer,
        allowed_methods text[],
        announced_at timestamptz,
        reminded_at timestamptz,
        updated_at timestamptz NOT NULL,
        CONSTRAINT sign_in_policies_pkey PRIMARY KEY (tenant_id)
      )`);
    await runner.query(`
      CREATE INDEX sign_in_policies_reminders_idx ON sign_in_policies (second_factor_from)
       WHERE reminded_at IS NULL`);
    await runner.query('ALTER TABLE sign_in_policies ENABLE ROW LEVEL SECURITY');
    await runner.query('ALTER TABLE sign_in_policies FORCE ROW LEVEL SECURITY');
    await runner.query(`
      CREATE POLICY tenant_isolation ON sign_in_policies
      USING ((SELECT app_across_tenants()) OR tenant_id = (SELECT app_tenant_id()))`);
    await runner.query(OBSTACLE);
    await runner.query(SESSION_MEMBERSHIP_OF);
    await runner.query(SIGN_IN_OBSTACLE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION sign_in_obstacle');
    await runner.query('DROP FUNCTION session_membership_of');
    await runner.query('DROP FUNCTION policy_obstacle');
    await runner.query('DROP TABLE sign_in_policies');
  }
}

/** What keeps a session out of a tenant with this policy; null if nothing does. */
const OBSTACLE = `
  CREATE FUNCTION policy_obstacle(policy sign_in_policies, at timestamptz, started timestamptz,
                                  has_second_factor boolean, proven text[])
  RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE
      WHEN policy.second_factor_from <= at AND NOT has_second_factor THEN 'second-factor'
      WHEN NOT proven && policy.allowed_methods THEN 'method'
      WHEN started + make_interval(hours => policy.max_session_hours) <= at THEN 'session-age'
    END
  $$`;

const MEMBERSHIP_COLUMNS = `id uuid, tenant_id uuid, tenant_name text, tenant_created_at timestamptz, role text,
                 is_built_in boolean, permissions text[], joined_at timestamptz`;

/** @param memberships the source of the rows @param condition which of them */
const read = (memberships: string, condition: string) => `
      SELECT m.id, t.id, t.name, t.created_at, r.name, r.is_built_in, r.permissions, m.joined_at
        FROM ${memberships} m
        JOIN tenants t ON t.id = m.tenant_id
        JOIN roles r ON r.tenant_id = m.tenant_id AND r.id = m.role_id
        LEFT JOIN sign_in_policies p ON p.tenant_id = m.tenant_id
       WHERE m.user_id = person
         AND (p.tenant_id IS NULL OR policy_obstacle(p, at, started, has_second_factor, proven) IS NULL)
         AND ${condition}`;

/**
 * Found by the index, however many tenants a user has; the others are read only if it is kept out.
 */
const OLDEST = `SELECT * FROM memberships ms WHERE ms.user_id = person
        AND NOT EXISTS (SELECT FROM deleted_tenants d WHERE d.id = ms.tenant_id)
        ORDER BY ms.joined_at, ms.tenant_id LIMIT 1`;

/**
 * Like membership_of, without the tenants whose policy keeps the session out: the one given, or
 * else the oldest if the caller asks for it.
 */
const SESSION_MEMBERSHIP_OF = `
  CREATE FUNCTION session_membership_of(person uuid, tenant uuid, or_oldest boolean, at timestamptz,
    started timestamptz, has_second_factor boolean, proven text[])
  RETURNS TABLE (${MEMBERSHIP_COLUMNS})
  LANGUAGE plpgsql STABLE AS $$
  DECLARE before text := coalesce(current_setting('app.across_tenants', true), '');
  BEGIN
    PERFORM set_config('app.across_tenants', 'on', true);
    RETURN QUERY ${read('memberships', 'm.tenant_id = tenant')};
    IF or_oldest AND NOT FOUND THEN
      RETURN QUERY ${read(`(${OLDEST})`, 'true')};
      IF NOT FOUND THEN
        RETURN QUERY ${read('memberships', 't.deleted_at IS NULL ORDER BY m.joined_at, m.tenant_id LIMIT 1')};
      END IF;
    END IF;
    PERFORM set_config('app.across_tenants', before, true);
  END $$`;

/** What keeps the session of an access token out of a tenant; null if nothing does. */
const SIGN_IN_OBSTACLE = `
  CREATE FUNCTION sign_in_obstacle(token uuid, tenant uuid, at timestamptz)
  RETURNS text LANGUAGE plpgsql STABLE AS $$
  DECLARE
    before text := coalesce(current_setting('app.across_tenants', true), '');
    found_obstacle text;
  BEGIN
    PERFORM set_config('app.across_tenants', 'on', true);
    SELECT policy_obstacle(p, at, s.created_at, s.second_factor_at IS NOT NULL, s.methods) INTO found_obstacle
      FROM sign_in_policies p, refresh_tokens t JOIN sessions s ON s.id = t.session_id
     WHERE p.tenant_id = tenant AND t.id = token;
    PERFORM set_config('app.across_tenants', before, true);
    RETURN found_obstacle;
  END $$`;
