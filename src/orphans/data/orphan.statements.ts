/** Fragments of queries: expressions about `o`, or of a maker, at `:now`. */

/** @param account an expression @param maker an expression; null: a deleted account */
const usableKeys = (tenant: string, account: string, maker: string) => `
  api_keys k WHERE k.tenant_id = ${tenant} AND k.service_account_id = ${account}
    AND k.created_by IS NOT DISTINCT FROM ${maker} AND k.revoked_at IS NULL
    AND (k.expires_at IS NULL OR k.expires_at > :now)`;

/** What a maker has made in a tenant and still works, of each kind: `id` and `label`. */
const MADE = {
  'service-account': (tenant: string, maker: string) => `
    SELECT a.id, a.name AS label FROM service_accounts a WHERE a.tenant_id = ${tenant} AND a.disabled_at IS NULL
       AND EXISTS (SELECT FROM ${usableKeys('a.tenant_id', 'a.id', maker)})`,
  'webhook-endpoint': (tenant: string, maker: string) => `
    SELECT e.id, e.url AS label FROM webhook_endpoints e
     WHERE e.tenant_id = ${tenant} AND e.created_by IS NOT DISTINCT FROM ${maker}
       AND e.disabled_at IS NULL AND NOT e.is_deleted`,
  'audit-stream': (tenant: string, maker: string) => `
    SELECT s.id, s.url AS label FROM audit_streams s
     WHERE s.tenant_id = ${tenant} AND s.created_by IS NOT DISTINCT FROM ${maker} AND s.disabled_at IS NULL`,
};

/** Of `:tenantId` by `:userId`: `kind` and `id`. */
export const MADE_BY_USER = Object.entries(MADE)
  .map(([kind, made]) => `SELECT '${kind}' AS kind, made.id FROM (${made(':tenantId', ':userId')}) made`)
  .join(' UNION ALL ');

/** The name or the address of what a row is about; null if it no longer works. */
export const LABEL = `(CASE o.kind ${Object.entries(MADE)
  .map(([kind, made]) => {
    const found = made('o.tenant_id', 'o.left_by');
    return `WHEN '${kind}' THEN (SELECT made.label FROM (${found}) made WHERE made.id = o.resource_id)`;
  })
  .join(' ')} END)`;

/** The permissions of the keys that were left. */
export const LEFT_PERMISSIONS = `ARRAY(
  SELECT DISTINCT unnest(k.permissions) FROM ${usableKeys('o.tenant_id', 'o.resource_id', 'o.left_by')})`;

/** Everybody who has made something in `:tenantId`. */
export const MAKERS = `
  SELECT created_by FROM api_keys WHERE tenant_id = :tenantId AND service_account_id IS NOT NULL
  UNION SELECT created_by FROM webhook_endpoints WHERE tenant_id = :tenantId
  UNION SELECT created_by FROM audit_streams WHERE tenant_id = :tenantId`;
