import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Unread notifications of a user by tenant, for the web client's tenant switcher. */
export class UnreadOf1765080200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Like memberships_of, a function that reads across tenants: only the user's own rows, in
    // tenants that they are in and that are not being deleted. At most the newest 1000 are counted.
    await runner.query(`
      CREATE FUNCTION unread_of(person uuid) RETURNS TABLE (tenant_id uuid,
        unread integer) LANGUAGE plpgsql STABLE AS $$
      DECLARE before text := coalesce(current_setting('app.across_tenants', true), '');
      BEGIN
        PERFORM set_config('app.across_tenants', 'on', true);
        RETURN QUERY
          SELECT newest.tenant_id, count(*)::integer
            FROM (SELECT n.tenant_id FROM notifications n
                   WHERE n.user_id = person AND n.read_at IS NULL AND n.tenant_id IS NOT NULL ORDER BY n.id DESC
                     LIMIT 1000) newest
           WHERE EXISTS (SELECT FROM memberships m WHERE m.tenant_id = newest.tenant_id AND m.user_id = person)
             AND NOT EXISTS (SELECT FROM deleted_tenants d WHERE d.id = newest.tenant_id)
           GROUP BY newest.tenant_id ORDER BY newest.tenant_id;
        PERFORM set_config('app.across_tenants', before, true);
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION unread_of');
  }
}
