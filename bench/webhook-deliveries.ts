import { randomBytes } from 'node:crypto';
import { StripeStandIn } from '../dev/stripe/stripe-stand-in';
import { signPayload } from '../dev/stripe/webhook-signature';
import { customerIdOf, idOf, SUBSCRIBED_AT, subscriptionIdOf } from './seed-data';

export const WEBHOOK = '/api/v1/webhooks/stripe';
export const WEBHOOK_SECRET = 'whsec_bench';

/** Settings with the prices of the stand-in and the secret of the signed deliveries. */
export const BILLING = {
  PROCESSOR_SECRET_KEY: 'sk_test_unused', // never used: calls to Stripe are jobs, and no worker runs
  PROCESSOR_WEBHOOK_SECRET: WEBHOOK_SECRET,
  PROCESSOR_PRO_PRICE_ID: 'price_pro_monthly',
  PROCESSOR_BUSINESS_PRICE_ID: 'price_business_monthly',
};

/** A signed event that can be posted. */
export interface Delivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const MONTH = 32 * 24 * 60 * 60;

/**
 * Creates deliveries of renewals (customer.subscription.updated) for one tenant after the other.
 * Each is a new event with a new period end.
 */
export class Renewals {
  private made = 0;
  private readonly name = randomBytes(6).toString('hex');
  private readonly template: string;
  private readonly placeholders: readonly [event: string, subscription: string, customer: string];

  /** @param tenants number of tenants, each with a subscription */
  constructor(private readonly tenants: number) {
    const { event, placeholders } = renewalOfOne();
    this.template = event;
    this.placeholders = placeholders;
  }

  /** Creates deliveries signed now. They must be delivered within five minutes. */
  sign(count: number): Delivery[] {
    const now = Math.floor(Date.now() / 1000);
    return Array.from({ length: count }, () => {
      const body = this.next(now);
      return {
        body,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'stripe-signature': signPayload(body, WEBHOOK_SECRET, now),
        },
      };
    });
  }

  private next(now: number): string {
    const number = this.made++;
    const tenant = 1 + (number % this.tenants);
    const [event, subscription, customer] = this.placeholders;
    return this.template
      .replaceAll(event, `evt_${this.name}${number}`)
      .replaceAll(subscription, subscriptionIdOf(tenant))
      .replaceAll(customer, customerIdOf(tenant))
      .replaceAll(PLACEHOLDER_TENANT, idOf(4, tenant))
      .replace(/"current_period_end":\d+/, `"current_period_end":${now + MONTH + number}`)
      .replace(/"created":\d+(?=,"data")/, `"created":${now}`);
  }
}

const PLACEHOLDER_TENANT = idOf(4, 0);

/** The event of the stand-in for Stripe when a subscription is renewed. Only dates change. */
function renewalOfOne() {
  const processor = new StripeStandIn();
  const [{ customerId, subscriptionId }] = processor.seedSubscriptions([PLACEHOLDER_TENANT]);
  void processor.advance(MONTH);
  const event = processor.events().find(({ type }) => type === 'customer.subscription.updated')!;
  const renewal = JSON.stringify(event).replace(/"created":\d+(?=,"currency")/, `"created":${SUBSCRIBED_AT}`);
  return { event: renewal, placeholders: [event.id, subscriptionId, customerId] as const };
}
