import type Stripe from 'stripe';
import { CATALOGUE_TAX_BEHAVIOR, CURRENCIES, type CataloguePrice } from '../catalogue/domain/plan-catalogue';
import { amountsOf, type PriceAmount } from '../catalogue/domain/plan-price';
import type { PaidPlan } from '../entitlements/domain/plan';

/** The parameters with which Stripe creates a price of the catalogue. */
export function priceParamsOf(
  plan: PaidPlan,
  { interval, lookupKey }: CataloguePrice,
  product: string,
): Stripe.PriceCreateParams {
  const amounts = amountsOf(plan, interval);
  const [currency, ...others] = CURRENCIES;
  const options = others.map((code) => [
    code,
    { tiers: tiersOf(amounts[code]!), tax_behavior: CATALOGUE_TAX_BEHAVIOR },
  ]);
  return {
    product,
    currency,
    recurring: { interval },
    billing_scheme: 'tiered',
    tiers_mode: 'graduated',
    tiers: tiersOf(amounts[currency]!),
    ...(options.length > 0 ? { currency_options: Object.fromEntries(options) as CurrencyOptions } : {}),
    tax_behavior: CATALOGUE_TAX_BEHAVIOR,
    lookup_key: lookupKey,
    transfer_lookup_key: true,
    metadata: { plan, interval },
  };
}

type CurrencyOptions = NonNullable<Stripe.PriceCreateParams['currency_options']>;

/** The base amount for the included seats, and an amount for each further one. */
const tiersOf = ({ base, perSeat, includedSeats }: PriceAmount): Stripe.PriceCreateParams.Tier[] => [
  { up_to: includedSeats!, flat_amount: base, unit_amount: 0 },
  { up_to: 'inf', unit_amount: perSeat! },
];
