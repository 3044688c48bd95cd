import type { QueryRunner } from 'typeorm';

/**
 * Rows may lose details and their IP address, and nothing else changes: not even the owner of the
 * table can rewrite who did what and when.
 */
const TRIGGER = [
  `CREATE OR REPLACE FUNCTION refuse_other_change_of_audit_log() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF to_jsonb(NEW) - 'ip' - 'data' = to_jsonb(OLD) - 'ip' - 'data'
       AND (NEW.ip IS NULL OR NEW.ip = OLD.ip) AND OLD.data @> NEW.data THEN RETURN NEW; END IF;
     RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'insufficient_privilege';
   END $$`,
  'DROP TRIGGER IF EXISTS audit_log_is_only_erased ON audit_log',
  `CREATE TRIGGER audit_log_is_only_erased BEFORE UPDATE ON audit_log
   FOR EACH ROW EXECUTE FUNCTION refuse_other_change_of_audit_log()`,
];

/** Entries of the person's own doing, or of nobody's. */
const OWN = '(coalesce(actor_id, person) = person AND impersonator_id IS NULL)';
/** Details that can name a person. */
const NAMES = `'{email,name,reason,tenantName}'::text[]`;
/** Entries that still have something to erase. */
const OPEN = `(data ?| ${NAMES} OR ${OWN} AND (ip IS NOT NULL OR data <> '{}'))`;

/**
 * Erases what up to `most` entries say about a person whose account was deleted. It runs as the
 * owner, and does nothing while the person has an account.
 * - `whole`: of the person's own entries about the account, its sessions, accepted invitations and
 *   the tenants that were deleted with it, the details and the IP address.
 * - `names`: of entries of others about the same, only what can name the person. Who did it, from
 *   where, and with which effect stays: the deletion of an account must not hide what others did.
 * - `ip`: of what the person did elsewhere, the IP address.
 * @param addresses of a row of account_erasures, `e`
 */
const ERASE = (schema: string, addresses: string) => `
  CREATE OR REPLACE FUNCTION erase_audit_details(person uuid, most integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${schema}, pg_temp AS $$
  DECLARE
    addresses text[] := (SELECT ${addresses} FROM account_erasures e WHERE e.user_id = person);
    until timestamptz := (SELECT e.erased_at FROM account_erasures e WHERE e.user_id = person);
    tenants uuid[] := (SELECT e.deleted_tenant_ids FROM account_erasures e WHERE e.user_id = person);
    accepted text[];
    erased integer;
  BEGIN
    IF until IS NULL OR EXISTS (SELECT FROM users u WHERE u.id = person) THEN RETURN 0; END IF;
    accepted := ARRAY(SELECT target_id FROM audit_log WHERE actor_id = person AND action = 'invitation.accepted');
    WITH about AS (
      (SELECT * FROM audit_log WHERE target_id = person::text AND ${OPEN} LIMIT most)
      UNION ALL
      (SELECT * FROM audit_log WHERE actor_id = person AND target_type = 'session' AND ${OPEN} LIMIT most)
      UNION ALL
      (SELECT * FROM audit_log WHERE tenant_id = ANY (tenants) AND ${OPEN} LIMIT most)
      UNION ALL
      (SELECT * FROM audit_log WHERE target_id = ANY (accepted) AND target_type = 'invitation' AND ${OPEN} LIMIT most)
    ), found AS (
      (SELECT id, CASE WHEN ${OWN} THEN 'whole' ELSE 'names' END AS kind FROM about)
      UNION ALL
      (SELECT id, 'names' FROM audit_log WHERE target_type = 'invitation' AND data ->> 'email' = ANY (addresses)
          AND at <= until LIMIT most)
      UNION ALL
      (SELECT id, 'ip' FROM audit_log WHERE actor_id = person AND impersonator_id IS NULL AND ip IS NOT NULL
        LIMIT most)
      UNION ALL
      (SELECT id, 'ip' FROM audit_log WHERE impersonator_id = person AND ip IS NOT NULL LIMIT most)
    ), chosen AS (
      SELECT id, array_agg(kind) AS kinds FROM found GROUP BY id ORDER BY id LIMIT most
    )
    UPDATE audit_log a
       SET ip = CASE WHEN c.kinds && '{whole,ip}' THEN NULL ELSE a.ip END,
           data = CASE WHEN 'whole' = ANY (c.kinds) THEN '{}' WHEN 'names' = ANY (c.kinds) THEN a.data - ${NAMES}
                       ELSE a.data END
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
