import type { ChaosTenant } from '../chaos/tenant-seed';
import { signPayload } from '../stripe/webhook-signature';
import type { Environment } from './environment';
import type { Answered, RequestCounter } from './request-counter';

const UNAPPLIED = `
  SELECT count(*)::int AS n FROM unnest($1::text[], $2::uuid[]) AS told (event_id, tenant_id)
   WHERE (SELECT count(*) FROM webhook_events w WHERE w.event_id = told.event_id AND w.status = 'processed') <> 1
      OR NOT EXISTS (SELECT FROM subscriptions s WHERE s.tenant_id = told.tenant_id AND s.plan = 'Pro')
      OR (SELECT count(*) FROM audit_log a WHERE a.tenant_id = told.tenant_id
        AND a.action = 'subscription.changed') <> 1`;

/** An event of the processor: a tenant has subscribed. */
export interface Subscribed {
  readonly eventId: string;
  readonly tenantId: string;
  readonly payload: string;
}

/** Subscriptions that the processor has and tells of, the way it does. */
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

  deliver({ payload }: Subscribed, address: string): Promise<Answered> {
    const { processor } = this.environment;
    const seconds = Math.floor(processor.now().getTime() / 1000);
    const signature = signPayload(payload, processor.settings.PROCESSOR_WEBHOOK_SECRET, seconds);
    return this.counter.ask(
      { address, path: '/webhooks/stripe', headers: { 'Stripe-Signature': signature }, body: payload },
      200,
    );
  }

  /** @returns how many of those that were taken have not had their effect, once each */
  async unapplied(taken: readonly Subscribed[]): Promise<number> {
    const values = [taken.map(({ eventId }) => eventId), taken.map(({ tenantId }) => tenantId)];
    return (await this.environment.postgres.sql<{ n: number }>(UNAPPLIED, values))[0].n;
  }
}
