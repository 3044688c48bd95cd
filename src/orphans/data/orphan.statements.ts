import type { ResourceKind } from '../domain/orphaned-resource';

/** @param maker an expression @param now an expression */
const keysOf = (maker: string, now: string) => `
  api_keys k WHERE k.tenant_id = a.tenant_id AND k.service_account_id = a.id
    AND k.created_by IS NOT DISTINCT FROM ${maker} AND k.revoked_at IS NULL
    AND (k.expires_at IS NULL OR k.expires_at > ${now})`;

/** What a maker has made in a tenant and still works: `kind`, `id`, `label`. */
const madeBy = (tenant: string, maker: string, now: string) => `
  SELECT 'service-account' AS kind, a.id, a.name AS label FROM service_accounts a
   WHERE a.tenant_id = ${tenant} AND a.disabled_at IS NULL AND EXISTS (SELECT FROM ${keysOf(maker, now)})
  UNION ALL
  SELECT 'webhook-endpoint', e.id, e.url FROM webhook_endpoints e
   WHERE e.tenant_id = ${tenant} AND e.created_by IS NOT DISTINCT FROM ${maker}
     AND e.disabled_at IS NULL AND NOT e.is_deleted
  UNION ALL
  SELECT 'audit-stream', s.id, s.url FROM audit_streams s
   WHERE s.tenant_id = ${tenant} AND s.created_by IS NOT DISTINCT FROM ${maker} AND s.disabled_at IS NULL`;

/** Of the tenant $1 what the user $2 has left, but not of the kinds $3. */
export const FORGET = `
  DELETE FROM orphaned_resources WHERE tenant_id = $1 AND left_by = $2 AND kind <> ALL ($3::text[])`;

/** Of the tenant $1 by the user $2, of the kinds $3, at $4. */
export const ADD = `
  INSERT INTO orphaned_resources (tenant_id, id, kind, resource_id, left_by, left_at)
  SELECT $1::uuid, gen_random_uuid(), made.kind, made.id, $2::uuid, $4::timestamptz
    FROM (${madeBy('$1::uuid', '$2::uuid', '$4::timestamptz')}) made
   WHERE made.kind = ANY ($3::text[])
  ON CONFLICT (tenant_id, resource_id, left_by) DO NOTHING
  RETURNING id`;

/** Users with the role $2 of the tenant $1. */
export const CREATORS_WITH_ROLE = `
  SELECT DISTINCT m.user_id AS "userId"
    FROM (SELECT created_by FROM api_keys WHERE tenant_id = $1 AND service_account_id IS NOT NULL
          UNION SELECT created_by FROM webhook_endpoints WHERE tenant_id = $1
          UNION SELECT created_by FROM audit_streams WHERE tenant_id = $1) made
    JOIN memberships m ON m.tenant_id = $1 AND m.user_id = made.created_by
   WHERE m.role_id = $2`;

/** Of the tenant $1 at $2, if given only those with the ids $3. */
export const LIVING = `
  SELECT o.tenant_id AS "tenantId", o.id, o.kind, o.resource_id AS "resourceId", made.label,
         o.left_by AS "leftBy", o.left_at AS "leftAt",
         ARRAY(SELECT DISTINCT permission FROM service_accounts a, LATERAL (SELECT permissions FROM ${keysOf('o.left_by', '$2::timestamptz')}) k,
                      unnest(k.permissions) AS permission
                WHERE a.tenant_id = o.tenant_id AND a.id = o.resource_id) AS permissions
    FROM orphaned_resources o
    JOIN LATERAL (${madeBy('o.tenant_id', 'o.left_by', '$2::timestamptz')}) made
      ON made.kind = o.kind AND made.id = o.resource_id
   WHERE o.tenant_id = $1 AND ($3::uuid[] IS NULL OR o.id = ANY ($3::uuid[]))
   ORDER BY o.left_at, o.id`;

/** One of the tenant $1 and the account $2 that the user $3 has not created, usable at $4. */
export const OTHER_KEYS = `
  SELECT FROM api_keys WHERE tenant_id = $1 AND service_account_id = $2 AND created_by IS DISTINCT FROM $3::uuid
    AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $4) LIMIT 1`;

const ofReceivers = (table: string) => [
  {
    sql: `UPDATE ${table} SET created_by = $4, granted_by = $4
           WHERE tenant_id = $1 AND id = $2 AND created_by IS NOT DISTINCT FROM $3::uuid`,
    hasTime: false,
  },
];

/** Of the tenant $1 the resource $2, left by $3, to the user $4; at $5 where it says so. */
export const TAKE_OVER: Readonly<Record<ResourceKind, readonly { sql: string; hasTime: boolean }[]>> = {
  'service-account': [
    {
      sql: `UPDATE service_accounts SET created_by = $4
             WHERE tenant_id = $1 AND id = $2 AND created_by IS NOT DISTINCT FROM $3::uuid`,
      hasTime: false,
    },
    {
      sql: `UPDATE api_keys SET created_by = $4
             WHERE tenant_id = $1 AND service_account_id = $2 AND created_by IS NOT DISTINCT FROM $3::uuid
               AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $5)`,
      hasTime: true,
    },
  ],
  'webhook-endpoint': ofReceivers('webhook_endpoints'),
  'audit-stream': ofReceivers('audit_streams'),
};

/** At most $2 rows whose resource no longer works at $1, or has another creator. */
export const PURGE = `
  DELETE FROM orphaned_resources WHERE (tenant_id, id) IN (
    SELECT o.tenant_id, o.id FROM orphaned_resources o
     WHERE NOT EXISTS (SELECT FROM (${madeBy('o.tenant_id', 'o.left_by', '$1::timestamptz')}) made
                        WHERE made.kind = o.kind AND made.id = o.resource_id)
     LIMIT $2)
  RETURNING id`;

const ORDERED = 'ORDER BY left_at, tenant_id, id LIMIT $3';

/** At most $3 that were left before $1. */
export const MARK_REMINDED = `
  UPDATE orphaned_resources o SET reminded_at = $2
    FROM (SELECT tenant_id, id FROM orphaned_resources
           WHERE left_at <= $1 AND reminded_at IS NULL ${ORDERED} FOR UPDATE SKIP LOCKED) due
   WHERE o.tenant_id = due.tenant_id AND o.id = due.id
  RETURNING o.tenant_id AS "tenantId", o.id`;

/** At most $3 that were left before $1 and reminded of before $2. */
export const DUE = `
  SELECT tenant_id AS "tenantId", id FROM orphaned_resources WHERE left_at <= $1 AND reminded_at <= $2 ${ORDERED}`;
