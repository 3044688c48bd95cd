import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = `id uuid, tenant_id uuid, tenant_name text, tenant_created_at timestamptz,
  role text, is_built_in boolean,
                     permissions text[], joined_at timestamptz`;
/** @param membership selects one membership before its tenant and role are joined */
const read = (
  membership: string,
) => `SELECT m.id, t.id, t.name, t.created_at, r.name, r.is_built_in, r.permissions, m.joined_at
            FROM (SELECT * FROM memberships ms WHERE ms.user_id = person ${membership}) m
            JOIN tenants t ON t.id = m.tenant_id
            JOIN roles r ON r.tenant_id = m.tenant_id AND r.id = m.role_id`;

/**
 * Looks up one membership by its key, else the oldest by an index, so the cost does not depend on
 * the number of memberships.
 */
export class OneMembershipByItsKey1765030100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION membership_of(person uuid, tenant uuid, or_oldest boolean)
      RETURNS TABLE (${COLUMNS})
      LANGUAGE plpgsql STABLE AS $$
      DECLARE before text := coalesce(current_setting('app.across_tenants', true), '');
      BEGIN
        PERFORM set_config('app.across_tenants', 'on', true);
        RETURN QUERY ${read('AND ms.tenant_id = tenant')};
        IF or_oldest AND NOT FOUND THEN
          RETURN QUERY ${read('ORDER BY ms.joined_at, ms.tenant_id LIMIT 1')};
        END IF;
        PERFORM set_config('app.across_tenants', before, true);
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION membership_of');
  }
}
