import type Stripe from 'stripe';
import {
  BILLING_INTERVALS,
  CURRENCIES,
  TAX_BEHAVIORS,
  type BillingInterval,
  type TaxBehavior,
} from '../catalogue/domain/plan-catalogue';
import type { PriceAmount, PriceAmounts } from '../catalogue/domain/plan-price';
import type { PriceMark } from '../catalogue/domain/price-metadata';
import { fieldsOf, idIn, isFields, textOf, type Fields } from './stripe-fields';

/** A price as Stripe has it. */
export interface StripePrice {
  readonly id: string;
  readonly mark: PriceMark;
  readonly productId: string | null;
  readonly isActive: boolean;
  /** Null: it is paid once, or in another billing interval. */
  readonly interval: BillingInterval | null;
  readonly amounts: PriceAmounts;
  readonly taxBehavior: TaxBehavior;
}

/** What a price says about itself: the object, or its id. Older API versions call it a plan. */
export function toPriceMark(price: unknown): PriceMark | undefined {
  const id = idIn(price);
  if (!id) return undefined;
  const { lookup_key, metadata } = fieldsOf(price);
  const { plan, interval } = fieldsOf(metadata);
  return { id, lookupKey: textOf(lookup_key), plan: textOf(plan), interval: textOf(interval) };
}

/** Undefined for an object without an id. The tiers must have been expanded. */
export function toPrice(price: Stripe.Price): StripePrice | undefined {
  const mark = toPriceMark(price);
  if (!mark) return undefined;
  const { active, product, recurring, currency, currency_options, tax_behavior } = price;
  const isSimple = recurring?.interval_count === 1;
  const options: Readonly<Record<string, object>> = { ...currency_options, [currency]: price };
  const amounts = CURRENCIES.flatMap((code) => {
    const amount = Object.hasOwn(options, code) ? amountOf(fieldsOf(options[code])) : undefined;
    return amount ? [[code, amount]] : [];
  });
  return {
    id: mark.id,
    mark,
    productId: idIn(product),
    isActive: active,
    interval: (isSimple && BILLING_INTERVALS.find((one) => one === recurring.interval)) || null,
    amounts: Object.fromEntries(amounts) as PriceAmounts,
    taxBehavior: TAX_BEHAVIORS.find((one) => one === tax_behavior) ?? 'unspecified',
  };
}

/**
 * A flat price bills no seats. A tiered one has the base amount of the included seats in its first
 * tier, and the amount of each further seat in the second.
 */
function amountOf({ unit_amount, tiers }: Fields): PriceAmount | undefined {
  if (typeof unit_amount === 'number') return { base: unit_amount, perSeat: null, includedSeats: null };
  const [first, second] = Array.isArray(tiers) ? tiers.filter(isFields) : [];
  if (typeof first?.flat_amount !== 'number' || typeof first.up_to !== 'number') return undefined;
  if (typeof second?.unit_amount !== 'number') return undefined;
  return { base: first.flat_amount, perSeat: second.unit_amount, includedSeats: first.up_to };
}
