import type { PriceRecord, PriceTier } from './records';
import { StripeError } from './stripe-error';

/**
 * What a quantity of a price costs per period, in the smallest unit of the currency.
 * @throws a StripeError if the price has no amount in the currency
 */
export function amountFor(price: PriceRecord, quantity: number, currency: string): number {
  const { unitAmount, tiers } = amountsIn(price, currency);
  if (!tiers) return (unitAmount ?? 0) * quantity;
  return price.tiersMode === 'volume' ? volumeAmount(tiers, quantity) : graduatedAmount(tiers, quantity);
}

/** @throws a StripeError if the price has no amount in the currency */
export function amountsIn(price: PriceRecord, currency: string) {
  if (Object.hasOwn(price.amounts, currency)) return price.amounts[currency];
  throw new StripeError(
    `The price specified only supports \`${Object.keys(price.amounts).join('`, `')}\`. ` +
      `This doesn't match the expected currency: \`${currency}\`.`,
    { param: 'currency' },
  );
}

/** Each unit costs what its tier says. The flat amount of the first tier is always due. */
function graduatedAmount(tiers: readonly PriceTier[], quantity: number): number {
  let [total, below] = [0, 0];
  for (const { upTo, flatAmount, unitAmount } of tiers) {
    const units = Math.max(0, Math.min(quantity, upTo ?? Infinity) - below);
    if (units > 0 || below === 0) total += (flatAmount ?? 0) + units * (unitAmount ?? 0);
    below = upTo ?? Infinity;
  }
  return total;
}

/** All units cost what the tier of the quantity says. */
function volumeAmount(tiers: readonly PriceTier[], quantity: number): number {
  const { flatAmount, unitAmount } = tiers.find(({ upTo }) => upTo === null || quantity <= upTo)!;
  return (flatAmount ?? 0) + quantity * (unitAmount ?? 0);
}
