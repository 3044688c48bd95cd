import { ok } from '../../../platform/result';
import type { PaidPlan } from '../../entitlements/domain/plan';
import type { StripeResult } from '../../stripe/stripe-client';
import type { StripePrices } from '../../stripe/stripe-prices';
import type { StripeProducts } from '../../stripe/stripe-products';
import { PLAN_CATALOGUE } from '../domain/plan-catalogue';
import { differenceOf, isDescribed } from './catalogue-comparison';
import type { ComparedPlan, ComparedPrice } from './catalogue-state';

/**
 * Creates at Stripe what the catalogue has and Stripe has not. A price whose terms differ gets a
 * successor, which takes over its lookup key; the old price keeps its subscriptions. Repeating it
 * changes nothing. BILLING_UNAVAILABLE.
 * @returns what was done, one sentence each
 */
export async function publishPlan(
  stripe: { readonly prices: StripePrices; readonly products: StripeProducts },
  { plan, productId, product, prices }: ComparedPlan,
): Promise<StripeResult<string[]>> {
  const done: string[] = [];
  if (!product) {
    const created = await stripe.products.create(productId, plan, PLAN_CATALOGUE[plan].description);
    if (!created.ok) return created;
    done.push(`Created the product ${productId}.`);
  } else if (!product.isActive) {
    const activated = await stripe.products.activate(productId);
    if (!activated.ok) return activated;
    done.push(`Activated the product ${productId}.`);
  }
  for (const compared of prices) {
    const published = await publishPrice(stripe.prices, { plan, productId }, compared);
    if (!published.ok) return published;
    done.push(...published.value);
  }
  return ok(done);
}

/** The price of a setting is left as it is: only the operator can name another one. */
async function publishPrice(
  stripePrices: StripePrices,
  { plan, productId }: { readonly plan: PaidPlan; readonly productId: string },
  compared: ComparedPrice,
): Promise<StripeResult<string[]>> {
  const { price, setting, found } = compared;
  const difference = differenceOf(plan, compared);
  if (!difference || setting) return ok([]);
  const done: string[] = [];
  if (found && !isDescribed(plan, price, found)) {
    const described = await stripePrices.describe(found.id, { plan, interval: price.interval });
    if (!described.ok) return described;
    done.push(`Wrote ${plan} and ${price.interval} into the metadata of ${found.id}.`);
  }
  if (difference === 'metadata') return ok(done);
  if (found && difference === 'inactive') {
    const activated = await stripePrices.activate(found.id);
    return activated.ok ? ok([...done, `Activated the price ${found.id}.`]) : activated;
  }
  const created = await stripePrices.create(plan, price, productId, found?.id ?? null);
  if (!created.ok) return created;
  const successor = found ? `, which replaces ${found.id}` : '';
  return ok([...done, `Created the price ${created.value} for ${price.lookupKey}${successor}.`]);
}
