import type { QueryRunner } from 'typeorm';

/**
 * Rows may lose their details and IP address, and nothing else changes: not even the owner of the
 * table can rewrite who did what and when.
 */
const TRIGGER = [
  `CREATE FUNCTION refuse_other_change_of_audit_log() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF to_jsonb(NEW) - 'ip' - 'data' = to_jsonb(OLD) - 'ip' - 'data'
       AND NEW.ip IS NULL AND NEW.data IN (OLD.data, '{}') THEN RETURN NEW; END IF;
     RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'insufficient_privilege';
   END $$`,
  `CREATE TRIGGER audit_log_is_only_erased BEFORE UPDATE ON audit_log
   FOR EACH ROW EXECUTE FUNCTION refuse_other_change_of_audit_log()`,
];

/** Entries that still have something to erase. */
const FULL = `(ip IS NOT NULL OR data <> '{}')`;

/**
 * Erases the details and IP addresses of up to `most` entries about a person whose account was
 * deleted: those of the account, its sessions and invitations, and of the tenants that the person
 * deleted. What the person did elsewhere loses the IP address only. It runs as the owner, and does
 * nothing while the person has an account.
 * @param addresses of a row of account_erasures, `e`
 */
const ERASE = (schema: string, addresses: string) => `
  CREATE OR REPLACE FUNCTION erase_audit_details(person uuid, most integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${schema}, pg_temp AS $$
  DECLARE
    addresses text[] := (SELECT ${addresses} FROM account_erasures e WHERE e.user_id = person);
    until timestamptz := (SELECT e.erased_at FROM account_erasures e WHERE e.user_id = person);
    tenants uuid[];
    accepted text[];
    erased integer;
  BEGIN
    IF until IS NULL OR EXISTS (SELECT FROM users u WHERE u.id = person) THEN RETURN 0; END IF;
    tenants := ARRAY(SELECT tenant_id FROM audit_log WHERE actor_id = person AND action = 'tenant.deleted');
    accepted := ARRAY(SELECT target_id FROM audit_log WHERE actor_id = person AND action = 'invitation.accepted');
    WITH found AS (
      (SELECT id, true AS is_whole FROM audit_log WHERE target_id = person::text AND ${FULL} LIMIT most)
      UNION ALL
      (SELECT id, true FROM audit_log WHERE actor_id = person AND target_type = 'session' AND ${FULL} LIMIT most)
      UNION ALL
      (SELECT id, true FROM audit_log WHERE tenant_id = ANY (tenants) AND ${FULL} LIMIT most)
      UNION ALL
      (SELECT id, true FROM audit_log WHERE target_id = ANY (accepted) AND target_type = 'invitation' AND ${FULL}
        LIMIT most)
      UNION ALL
      (SELECT id, true FROM audit_log WHERE target_type = 'invitation' AND data ->> 'email' = ANY (addresses)
          AND at <= until LIMIT most)
      UNION ALL
      (SELECT id, false FROM audit_log WHERE actor_id = person AND ip IS NOT NULL LIMIT most)
      UNION ALL
      (SELECT id, false FROM audit_log WHERE impersonator_id = person AND ip IS NOT NULL LIMIT most)
    ), chosen AS (
      SELECT id, bool_or(is_whole) AS is_whole FROM found GROUP BY id ORDER BY id LIMIT most
    )
    UPDATE audit_log a SET ip = NULL, data = CASE WHEN c.is_whole THEN '{}' ELSE a.data END
      FROM chosen c WHERE a.id = c.id;
    GET DIAGNOSTICS erased = ROW_COUNT;
    RETURN erased;
  END $$`;

/** @param schema the quoted name of the schema, which the function searches only */
export const ERASE_AUDIT_DETAILS = (schema: string): string[] => [
  ...TRIGGER,
  ERASE(schema, 'ARRAY[e.email]'),
  `COMMENT ON FUNCTION erase_audit_details IS 'Erases details and IP addresses about a person without an account'`,
  'REVOKE ALL ON FUNCTION erase_audit_details FROM PUBLIC',
];

/**
 * Lets the function find invitations by other columns of account_erasures.
 * @param addresses of a row of it, `e`
 */
export async function replaceEraseAuditDetails(runner: QueryRunner, addresses: string): Promise<void> {
  const [{ schema }] = (await runner.query('SELECT quote_ident(current_schema()) AS schema')) as { schema: string }[];
  await runner.query(ERASE(schema, addresses));
}
