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

/** Makes deliveries due again that were taken until $2. */
export const RETURN_TAKEN = `
  UPDATE webhook_deliveries d SET next_at = now()
    FROM jsonb_to_recordset($1::jsonb) AS t ("tenantId" uuid, id uuid)
   WHERE d.tenant_id = t."tenantId" AND d.id = t.id AND d.state = 'due' AND d.next_at = $2`;
