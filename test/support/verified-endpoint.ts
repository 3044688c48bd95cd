import type { TestApp } from './app';

/**
 * Marks an endpoint as verified, without its challenge: for tests of what follows, also at hosts
 * that do not exist.
 */
export async function markVerified({ database }: TestApp, { id }: { readonly id: string }): Promise<void> {
  await database.query(
    `DELETE FROM webhook_messages m WHERE type = 'webhook.verification'
        AND EXISTS (SELECT FROM webhook_deliveries d WHERE d.message_id = m.id AND d.endpoint_id = $1)`,
    [id],
  );
  await database.query('UPDATE webhook_endpoints SET verified_at = created_at WHERE id = $1', [id]);
  await database.query(
    `UPDATE tenants t SET webhook_types =
       coalesce(webhook_types, '{}') || (SELECT coalesce(types, ARRAY['*']) FROM webhook_endpoints e WHERE e.id = $1)
      WHERE t.id = (SELECT tenant_id FROM webhook_endpoints e WHERE e.id = $1)`,
    [id],
  );
}
