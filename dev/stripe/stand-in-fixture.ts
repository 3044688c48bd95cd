import Stripe from 'stripe';
import { clientOf } from './stand-in-client';
import { StripeStandIn } from './stripe-stand-in';
import { WebhookReceiver } from './webhook-receiver';

/** Seconds. */
export const DAY = 24 * 60 * 60;
/** The metadata of a tenant. */
export const TENANT = { tenantId: 'tenant-1' };

/** A stand-in with a client and an endpoint, as its tests use it. */
export class StandInFixture {
  readonly processor = new StripeStandIn({ validateResponses: true, seed: 7 });
  readonly receiver = new WebhookReceiver(this.processor.settings.PROCESSOR_WEBHOOK_SECRET);
  stripe!: Stripe;

  private constructor() {}

  static async start(): Promise<StandInFixture> {
    const fixture = new StandInFixture();
    await fixture.processor.start();
    fixture.stripe = clientOf(fixture.processor);
    return fixture;
  }

  async stop(): Promise<void> {
    await this.processor.stop();
    await this.receiver.stop();
  }

  newCustomer(): Promise<Stripe.Customer> {
    return this.stripe.customers.create({ email: 'owner@example.com', metadata: TENANT });
  }

  /** A checkout of Pro with a trial. @param changes of its parameters */
  async newSession(changes: Partial<Stripe.Checkout.SessionCreateParams> = {}): Promise<Stripe.Checkout.Session> {
    const customer = changes.customer ?? (await this.newCustomer()).id;
    return this.stripe.checkout.sessions.create({
      mode: 'subscription',
      customer,
      client_reference_id: TENANT.tenantId,
      line_items: [{ price: this.processor.settings.PROCESSOR_PRO_PRICE_ID, quantity: 1 }],
      subscription_data: { trial_period_days: 14, metadata: TENANT },
      metadata: TENANT,
      success_url: 'http://localhost:5173/billing?success=true&session={CHECKOUT_SESSION_ID}',
      cancel_url: 'http://localhost:5173/billing',
      ...changes,
    });
  }

  /** @returns a subscription, with a trial or without */
  async subscribed({ hasTrial = true } = {}): Promise<Stripe.Subscription> {
    const session = await this.newSession(hasTrial ? {} : { subscription_data: { metadata: TENANT } });
    await this.processor.customerActions.pay(session.url!);
    return this.processor.subscriptions().at(-1)!;
  }

  /** The types of the events after the first ones. */
  typesSince(count: number): string[] {
    return this.processor
      .events()
      .slice(count)
      .map(({ type }) => type);
  }

  statusOf({ id }: { id: string }): Stripe.Subscription.Status {
    return this.processor.subscription(id)!.status;
  }

  /** Starts to deliver events to the endpoint. */
  async deliver(): Promise<void> {
    this.processor.deliverTo(await this.receiver.start());
  }

  /** The text of a page. */
  async get(path: string): Promise<string> {
    return (await fetch(this.processor.url + path)).text();
  }
}

/** The type and code of a failure. */
export const codeOf = (error: unknown) => [
  error instanceof Stripe.errors.StripeError && error.type,
  (error as { code?: string }).code,
];
