import type { ChaosTenant } from '../chaos/tenant-seed';
import { signPayload } from '../stripe/webhook-signature';
import type { Environment } from './environment';
import type { CountedResponse, RequestCounter } from './request-counter';

const UNAPPLIED = `
  SELECT count(*)::int AS n FROM unnest($1::text[], $2::uuid[]) AS delivered (event_id, tenant_id)
   WHERE (SELECT count(*) FROM webhook_events w WHERE w.event_id = delivered.event_id AND w.status = 'processed') <> 1
      OR NOT EXISTS (SELECT FROM subscriptions s WHERE s.tenant_id = delivered.tenant_id AND s.plan = 'Pro')
      OR (SELECT count(*) FROM audit_log a WHERE a.tenant_id = delivered.tenant_id
        AND a.action = 'subscription.changed') <> 1`;

/** A Stripe event about a new subscription of a tenant. */
export interface Subscribed {
  readonly eventId: string;
  readonly tenantId: string;
  readonly payload: string;
}

/** Creates subscriptions at the stand-in for Stripe and delivers their events. */
export class StripeEvents {
  private count = 0;

  constructor(
    private readonly environment: Environment,
    private readonly counter: RequestCounter,
    private readonly name: string,
  ) {}

  subscribe({ id: tenantId }: ChaosTenant): Subscribed {
    const { processor } = this.environment;
    const [{ subscriptionId }] = processor.seedSubscriptions([tenantId]);
    const eventId = `evt_${this.name}_${++this.count}`;
    const event = {
      id: eventId,
      object: 'event',
      api_version: '2026-10-28.endive',
      created: Math.floor(processor.now().getTime() / 1000),
      livemode: false,
      type: 'customer.subscription.updated',
      data: { object: processor.subscription(subscriptionId) },
    };
    return { eventId, tenantId, payload: JSON.stringify(event) };
  }

  deliver({ payload }: Subscribed, address: string): Promise<CountedResponse> {
    const { processor } = this.environment;
    const seconds = Math.floor(processor.now().getTime() / 1000);
    const signature = signPayload(payload, processor.settings.PROCESSOR_WEBHOOK_SECRET, seconds);
    return this.counter.ask(
      { address, path: '/webhooks/stripe', headers: { 'Stripe-Signature': signature }, body: payload },
      200,
    );
  }

  /** @returns how many accepted events have not been applied exactly once */
  async unapplied(accepted: readonly Subscribed[]): Promise<number> {
    const values = [accepted.map(({ eventId }) => eventId), accepted.map(({ tenantId }) => tenantId)];
    return (await this.environment.postgres.sql<{ n: number }>(UNAPPLIED, values))[0].n;
  }
}
