import type Stripe from 'stripe';
import type { CurrencyAmounts, PriceRecord, PriceTier, TaxBehavior } from './records';
import { StripeError } from './stripe-error';

type Option = Stripe.PriceCreateParams.CurrencyOptions;

/**
 * The amounts of a new price by currency, from the parameters of the request.
 * @throws a StripeError if an amount is missing or the tiers are not in order
 */
export function amountsOf(params: Stripe.PriceCreateParams): Pick<PriceRecord, 'amounts' | 'tiersMode'> {
  const isTiered = params.billing_scheme === 'tiered';
  if (isTiered && params.tiers_mode === undefined) throw missing('tiers_mode');
  const options: [string, Option][] = Object.entries(params.currency_options ?? {});
  const amounts = Object.fromEntries(
    [[params.currency, params] as const, ...options].map(([currency, option]) => [
      currency,
      currencyAmounts(option, isTiered, option === params ? '' : `currency_options[${currency}]`),
    ]),
  );
  const bounds = Object.values(amounts).map(({ tiers }) => tiers?.map(({ upTo }) => upTo).join());
  if (new Set(bounds).size > 1)
    throw new StripeError('The tiers of all currencies must have the same `up_to` values.', {
      param: 'currency_options',
    });
  return { amounts, tiersMode: isTiered ? (params.tiers_mode as 'graduated') : null };
}

function currencyAmounts(option: Option, isTiered: boolean, at: string): CurrencyAmounts {
  const nameOf = (name: string) => (at ? `${at}[${name}]` : name);
  const taxBehavior = (option.tax_behavior as TaxBehavior | undefined) ?? 'unspecified';
  if (isTiered && option.unit_amount !== undefined)
    throw new StripeError('`unit_amount` cannot be set with `billing_scheme=tiered`.', {
      param: nameOf('unit_amount'),
    });
  if (isTiered) return { unitAmount: null, tiers: tiersOf(option.tiers, nameOf('tiers')), taxBehavior };
  if (option.unit_amount === undefined) throw missing(nameOf('unit_amount'));
  if (option.unit_amount < 0) throw new StripeError('Invalid non-negative integer', { param: nameOf('unit_amount') });
  return { unitAmount: option.unit_amount, tiers: null, taxBehavior };
}

function tiersOf(tiers: Option['tiers'], param: string): PriceTier[] {
  if (!tiers?.length) throw missing(param);
  const records = tiers.map(({ up_to: upTo, flat_amount: flat, unit_amount: unit }, index) => {
    if (flat === undefined && unit === undefined) throw missing(`${param}[${index}][unit_amount]`);
    return { upTo: upTo === 'inf' ? null : upTo, flatAmount: flat ?? null, unitAmount: unit ?? null };
  });
  const isLast = (index: number) => index === records.length - 1;
  if (records.some(({ upTo }, index) => (upTo === null) !== isLast(index)))
    throw new StripeError('The last tier, and only the last one, must have `up_to=inf`.', { param });
  if (records.some(({ upTo }, index) => upTo !== null && upTo <= (records[index - 1]?.upTo ?? 0)))
    throw new StripeError('The `up_to` values of tiers must be in ascending order.', { param });
  return records;
}

function missing(param: string): StripeError {
  return new StripeError(`Missing required param: ${param}.`, { code: 'parameter_missing', param });
}
