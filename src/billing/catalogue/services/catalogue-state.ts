import { ok } from '../../../platform/result';
import { PAID_PLANS, type PaidPlan } from '../../entitlements/domain/plan';
import type { StripeResult } from '../../stripe/stripe-client';
import type { StripePrice } from '../../stripe/stripe-price.mapper';
import type { StripePrices } from '../../stripe/stripe-prices';
import type { StripeProducts } from '../../stripe/stripe-products';
import { PLAN_CATALOGUE, type CataloguePrice } from '../domain/plan-catalogue';

/** A price of the catalogue, with what Stripe has for it. */
export interface ComparedPrice {
  readonly price: CataloguePrice;
  /** The setting that names another price instead; undefined: it is found by its lookup key. */
  readonly setting: string | undefined;
  readonly found: StripePrice | undefined;
}

/** A plan of the catalogue, with what Stripe has for it. */
export interface ComparedPlan {
  readonly plan: PaidPlan;
  readonly productId: string;
  readonly product: { readonly isActive: boolean } | null;
  readonly prices: readonly ComparedPrice[];
}

/** The ids that settings name. */
export type SetPrices = Readonly<Record<PaidPlan, string | undefined>>;

/** Reads what Stripe has for each plan of the catalogue. BILLING_UNAVAILABLE. */
export async function readCatalogueState(
  stripe: { readonly prices: StripePrices; readonly products: StripeProducts },
  settings: SetPrices,
): Promise<StripeResult<ComparedPlan[]>> {
  const keys = PAID_PLANS.flatMap((plan) => PLAN_CATALOGUE[plan].prices.map(({ lookupKey }) => lookupKey));
  const listed = await stripe.prices.withLookupKeys(keys);
  if (!listed.ok) return listed;
  const plans: ComparedPlan[] = [];
  for (const plan of PAID_PLANS) {
    const setId = settings[plan];
    const set = setId ? await stripe.prices.get(setId) : ok(null);
    if (!set.ok) return set;
    const prices = PLAN_CATALOGUE[plan].prices.map((price): ComparedPrice => {
      const isSet = price.interval === 'month' && setId !== undefined;
      const found = isSet ? set.value : listed.value.find(({ mark }) => mark.lookupKey === price.lookupKey);
      return {
        price,
        setting: isSet ? `PROCESSOR_${plan.toUpperCase()}_PRICE_ID` : undefined,
        found: found ?? undefined,
      };
    });
    const productId = prices.find(({ found }) => found?.productId)?.found?.productId ?? `plan_${plan.toLowerCase()}`;
    const product = await stripe.products.get(productId);
    if (!product.ok) return product;
    plans.push({ plan, productId, product: product.value, prices });
  }
  return ok(plans);
}
