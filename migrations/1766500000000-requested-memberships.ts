import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The membership of a session in the tenant that a refresh names, or else in the active one, or
 * else the oldest one, as `session_membership_of` finds them; its fields are null if there is none.
 * A single value needs no node in the plan of a statement that rarely calls it.
 */
const REQUESTED_MEMBERSHIP_OF = `
  CREATE FUNCTION requested_membership_of(person uuid, named uuid, active uuid, at timestamptz,
    started timestamptz, has_second_factor boolean, proven text[])
  RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
  DECLARE found_membership record;
  BEGIN
    SELECT m.* INTO found_membership
      FROM session_membership_of(person, named, false, at, started, has_second_factor, proven) m
     WHERE named IS NOT NULL;
    IF NOT FOUND THEN
      SELECT m.* INTO found_membership
        FROM session_membership_of(person, active, true, at, started, has_second_factor, proven) m;
    END IF;
    RETURN jsonb_build_object('tenantId', found_membership.tenant_id, 'role', found_membership.role,
      'isBuiltIn', found_membership.is_built_in, 'permissions', found_membership.permissions);
  END $$`;

export class RequestedMemberships1766500000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(REQUESTED_MEMBERSHIP_OF);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION requested_membership_of');
  }
}
