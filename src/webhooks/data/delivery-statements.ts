/** Due deliveries of an endpoint; more of them are not sent by themselves. */
const MOST_DUE = 10_000;

/** Those of some endpoints that have as many due deliveries as they may have. */
export const FULL = `
  SELECT id FROM jsonb_to_recordset($1::jsonb) AS e ("tenantId" uuid, id uuid)
   WHERE EXISTS (SELECT FROM webhook_deliveries d
                  WHERE d.tenant_id = "tenantId" AND d.endpoint_id = e.id AND d.state = 'due'
                 OFFSET ${MOST_DUE - 1})`;

/** What is due of a disabled endpoint has failed. */
export const GIVE_UP = `
  UPDATE webhook_deliveries SET state = 'failed', next_at = NULL
   WHERE (tenant_id, id) IN (
     SELECT tenant_id, id FROM webhook_deliveries
      WHERE tenant_id = $1 AND endpoint_id = $2 AND state = 'due' ORDER BY id LIMIT $3 FOR UPDATE)
  RETURNING 1`;

/** Removes some deliveries of a deleted endpoint, locked in the order of their keys. */
export const REMOVE_OF_DELETED = `
  DELETE FROM webhook_deliveries WHERE (tenant_id, id) IN (
    SELECT d.tenant_id, d.id FROM webhook_deliveries d
     WHERE d.tenant_id = $1 AND d.endpoint_id = $2
       AND EXISTS (SELECT FROM webhook_endpoints e WHERE e.tenant_id = $1 AND e.id = $2 AND e.is_deleted)
     ORDER BY d.id LIMIT $3 FOR UPDATE OF d)
  RETURNING 1`;

/**
 * Stores successes at one moment, except those that were taken again or ended meanwhile. Rows are
 * locked in the order of their keys, so that two of these statements cannot wait for each other.
 */
export const STORE_DELIVERED = `
  UPDATE webhook_deliveries d SET state = 'delivered', next_at = NULL, attempt = sent.attempt, log = sent.log
    FROM (SELECT d.tenant_id, d.id, o.attempt, o.log
            FROM jsonb_to_recordset($1::jsonb)
              AS o ("tenantId" uuid, id uuid, until timestamptz, attempt int, log jsonb)
            JOIN webhook_deliveries d ON d.tenant_id = o."tenantId" AND d.id = o.id
           WHERE d.state = 'due' AND d.next_at = o.until
           ORDER BY d.tenant_id, d.id FOR UPDATE OF d) sent
   WHERE d.tenant_id = sent.tenant_id AND d.id = sent.id`;
