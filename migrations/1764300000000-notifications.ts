import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Notifications of users, in a tenant or in none: an invitation comes from a tenant that the user
 * is not in yet.
 */
export class Notifications1764300000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE notifications (
        id uuid CONSTRAINT notifications_pkey PRIMARY KEY,
        tenant_id uuid CONSTRAINT notifications_tenant_id_fkey REFERENCES tenants (id) ON DELETE CASCADE,
        user_id uuid NOT NULL CONSTRAINT notifications_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
        kind text NOT NULL,
        data jsonb NOT NULL,
        position bigint NOT NULL,
        created_at timestamptz NOT NULL,
        read_at timestamptz
      )`);
    await runner.query('CREATE SEQUENCE notification_positions');
    await runner.query('CREATE INDEX notifications_user_id_id_idx ON notifications (user_id, id)');
    await runner.query('CREATE INDEX notifications_user_id_position_idx ON notifications (user_id, position)');
    await runner.query('CREATE INDEX notifications_unread_idx ON notifications (user_id, id) WHERE read_at IS NULL');
    await runner.query('CREATE INDEX notifications_tenant_id_idx ON notifications (tenant_id)');
    await runner.query('ALTER TABLE notifications ENABLE ROW LEVEL SECURITY');
    await runner.query('ALTER TABLE notifications FORCE ROW LEVEL SECURITY');
    // A user reads their own notifications of the active tenant or of none. Notifications for
    // others belong to the active tenant or to none.
    await runner.query(`
      CREATE POLICY tenant_isolation ON notifications
      USING ((user_id = (SELECT app_user_id()) AND (tenant_id IS NULL OR tenant_id = (SELECT app_tenant_id())))
        OR (SELECT app_across_tenants()))
      WITH CHECK (tenant_id IS NULL OR tenant_id = (SELECT app_tenant_id()) OR (SELECT app_across_tenants()))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE notifications');
    await runner.query('DROP SEQUENCE notification_positions');
  }
}
