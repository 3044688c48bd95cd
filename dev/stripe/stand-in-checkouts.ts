import type Stripe from 'stripe';
import type { StripeStandIn } from './stripe-stand-in';

const ADDRESS = 'http://localhost:5173/billing';

/** Creates a checkout of a new customer for Pro. @param changes of its parameters */
export async function newCheckout(
  stripe: Stripe,
  changes: Partial<Stripe.Checkout.SessionCreateParams> = {},
): Promise<Stripe.Checkout.Session> {
  const customer = changes.customer ?? (await stripe.customers.create({ email: 'owner@example.com' })).id;
  const line_items = [{ price: 'price_pro_monthly', quantity: 1 }];
  return stripe.checkout.sessions.create({
    mode: 'subscription',
    customer,
    line_items,
    success_url: ADDRESS,
    ...changes,
  });
}

/** Pays a checkout. @returns the new subscription */
export async function subscribed(
  { customerActions }: StripeStandIn,
  stripe: Stripe,
  changes: Partial<Stripe.Checkout.SessionCreateParams> = {},
): Promise<Stripe.Subscription> {
  const session = await newCheckout(stripe, changes);
  await customerActions.pay(session.url!);
  const { subscription } = await stripe.checkout.sessions.retrieve(session.id);
  return stripe.subscriptions.retrieve(subscription as string);
}
