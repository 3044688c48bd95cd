import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Deliveries are kept for so long: an earlier success of an older endpoint is not known. */
const DELIVERIES_KEPT = '30 days';

/**
 * When the receiver of an endpoint has answered its challenge. Those that have had an answer of 2xx
 * count as verified: a delivery says so, or an older one has not failed since its last success.
 */
export class VerifiedWebhookEndpoints1766560000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`SELECT set_config('app.across_tenants', 'on', true)`);
    await runner.query('ALTER TABLE webhook_endpoints ADD COLUMN verified_at timestamptz');
    await runner.query(`
      UPDATE webhook_endpoints e SET verified_at = now()
       WHERE EXISTS (SELECT FROM webhook_deliveries d
                      WHERE d.tenant_id = e.tenant_id AND d.endpoint_id = e.id AND d.state = 'delivered')
          OR (failing_since IS NULL AND created_at < now() - interval '${DELIVERIES_KEPT}')`);
    await runner.query(`
      UPDATE webhook_deliveries d SET state = 'failed', next_at = NULL
       WHERE state = 'due' AND EXISTS (SELECT FROM webhook_endpoints e
              WHERE e.tenant_id = d.tenant_id AND e.id = d.endpoint_id AND e.verified_at IS NULL)`);
    await runner.query(`
      UPDATE tenants t SET webhook_types = (
        SELECT CASE WHEN count(*) = 0 THEN NULL WHEN bool_or(e.types IS NULL) THEN ARRAY['*']
                    ELSE (SELECT array_agg(DISTINCT type) FROM webhook_endpoints o, unnest(o.types) AS type
                           WHERE o.tenant_id = t.id AND NOT o.is_deleted AND o.verified_at IS NOT NULL) END
          FROM webhook_endpoints e WHERE e.tenant_id = t.id AND NOT e.is_deleted AND e.verified_at IS NOT NULL)
       WHERE webhook_types IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_endpoints DROP COLUMN verified_at');
  }
}
