import type { Client } from 'pg';
import type { StripeStandIn } from '../stripe/stripe-stand-in';
import type { EventHistory } from './event-history';
import { groupBy } from './group-by';
import { queryAllTenants } from './subscription-row';

/** A failure of many tenants has few causes. */
const MOST_TENANTS = 5;

/** What the service did, in the order in which it did it. */
const STEPS = `
  SELECT tenant_id AS "tenantId", line FROM (
    SELECT tenant_id, received_at AS at, 1 AS rank,
           event_id || CASE WHEN is_applied THEN ' applied' ELSE ' not applied' END AS line
      FROM webhook_events
     UNION ALL
    SELECT tenant_id, at, 2, (data -> 'before' ->> 'status') || ' to ' || (data -> 'after' ->> 'status')
           || ' because of ' || (data ->> 'cause')
      FROM audit_log WHERE action = 'subscription.changed'
     UNION ALL
    SELECT tenant_id, created_at, 3, 'notification ' || kind FROM notifications
  ) AS steps WHERE tenant_id IS NOT NULL ORDER BY at, rank`;

/**
 * What happened to the tenants that problems name, at Stripe and in the service.
 * @returns a text for each tenant
 */
export async function historiesOf(
  problems: readonly string[],
  tenants: readonly { readonly id: string }[],
  { processor, database, history }: { processor: StripeStandIn; database: Client; history: EventHistory },
): Promise<string[]> {
  const named = tenants.filter(({ id }) => problems.some((problem) => problem.includes(id))).slice(0, MOST_TENANTS);
  if (named.length === 0) return [];
  const customersOf = groupBy(processor.customers(), ({ metadata }) => metadata.tenantId);
  const stepsOf = groupBy(
    await queryAllTenants<{ tenantId: string; line: string }>(database, STEPS),
    ({ tenantId }) => tenantId,
  );
  return named.map(({ id }) => {
    const events = (customersOf.get(id) ?? []).flatMap((customer) => history.of(customer.id));
    const steps = (stepsOf.get(id) ?? []).map(({ line }) => line);
    return [`History of tenant ${id} at Stripe:`, ...events, 'In the service:', ...steps].join('\n  ');
  });
}
