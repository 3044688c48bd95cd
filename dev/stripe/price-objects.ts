import type { CurrencyAmounts, PriceRecord } from './records';
import type { ApiObject } from './api-objects';

const decimal = (amount: number | null) => (amount === null ? null : String(amount));

/** A price without its tiers and currency options, which are included on request only. */
export function priceObject(price: PriceRecord): ApiObject {
  const { interval, intervalCount, tiersMode, taxBehavior } = price;
  const { unitAmount } = price.amounts[price.currency];
  return {
    id: price.id,
    object: 'price',
    active: price.isActive,
    billing_scheme: tiersMode ? 'tiered' : 'per_unit',
    created: price.created,
    currency: price.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: price.lookupKey,
    metadata: price.metadata,
    nickname: price.nickname,
    product: price.product,
    recurring: interval && {
      interval,
      interval_count: intervalCount,
      meter: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
    tax_behavior: taxBehavior,
    tiers_mode: tiersMode,
    transform_quantity: null,
    type: interval ? 'recurring' : 'one_time',
    unit_amount: unitAmount,
    unit_amount_decimal: decimal(unitAmount),
  };
}

/** The legacy form of a price, which subscriptions still have. */
export function planObject(price: PriceRecord): ApiObject {
  const { unitAmount } = price.amounts[price.currency];
  return {
    id: price.id,
    object: 'plan',
    active: price.isActive,
    amount: unitAmount,
    amount_decimal: decimal(unitAmount),
    billing_scheme: price.tiersMode ? 'tiered' : 'per_unit',
    created: price.created,
    currency: price.currency,
    interval: price.interval,
    interval_count: price.intervalCount,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: price.tiersMode,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  };
}

/** The tiers of a price in one currency. The last one has no upper bound. */
export function tierObjects({ tiers }: CurrencyAmounts) {
  return tiers?.map(({ upTo, flatAmount, unitAmount }) => ({
    flat_amount: flatAmount,
    flat_amount_decimal: decimal(flatAmount),
    unit_amount: unitAmount,
    unit_amount_decimal: decimal(unitAmount),
    up_to: upTo,
  }));
}

/**
 * The amounts of a price by currency, the default one included.
 */
export function currencyOptions({ amounts }: PriceRecord) {
  return Object.fromEntries(
    Object.entries(amounts).map(([currency, { unitAmount, taxBehavior }]) => [
      currency,
      {
        custom_unit_amount: null,
        tax_behavior: taxBehavior,
        unit_amount: unitAmount,
        unit_amount_decimal: decimal(unitAmount),
      },
    ]),
  );
}

/**
 * Adds what `expand` asks for: `tiers`, `currency_options` and `currency_options.eur.tiers`. Like
 * Stripe, ignores `currency_options.tiers`: the tiers of each currency are asked for by its code.
 */
export function includeInPrice(holder: Record<string, unknown>, price: PriceRecord, [name, ...rest]: string[]): void {
  if (name === 'tiers' && price.tiersMode) holder.tiers = tierObjects(price.amounts[price.currency]);
  if (name !== 'currency_options') return;
  holder.currency_options ??= currencyOptions(price);
  const [currency, field] = rest;
  const option = (holder.currency_options as Record<string, object | undefined>)[currency];
  if (option && field === 'tiers') Object.assign(option, { tiers: tierObjects(price.amounts[currency]) });
}
