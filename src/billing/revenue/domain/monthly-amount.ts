import type { BillingInterval } from '../../catalogue/domain/plan-catalogue';
import type { PriceAmounts } from '../../catalogue/domain/plan-price';

const MONTHS: Readonly<Record<BillingInterval, number>> = { month: 1, year: 12 };

/** What a subscription pays, besides its price. */
export interface PaymentTerms {
  /** ISO 4217 code in lower case. */
  readonly currency: string | null;
  /** Null: the price bills no seats. */
  readonly seats: number | null;
  readonly discountPercent: number | null;
  /** In the smallest unit of the currency, off each invoice. */
  readonly discountAmount: number | null;
}

/** What a price costs per period. */
export interface PriceCost {
  readonly interval: BillingInterval;
  readonly amounts: PriceAmounts;
}

/**
 * The monthly recurring revenue of a subscription, net of its discount, in the smallest unit of its
 * currency; a twelfth of a yearly invoice, rounded.
 * @param cost undefined: not known
 * @returns null if the amount is not known
 */
export function monthlyAmountOf(cost: PriceCost | undefined, terms: PaymentTerms): number | null {
  const { currency, seats, discountPercent, discountAmount } = terms;
  const amounts: Readonly<Partial<Record<string, PriceAmounts['usd']>>> = cost?.amounts ?? {};
  const amount = currency !== null && Object.hasOwn(amounts, currency) ? amounts[currency] : undefined;
  if (!cost || !amount) return null;
  const furtherSeats = Math.max(0, (seats ?? 0) - (amount.includedSeats ?? 0));
  const gross = amount.base + furtherSeats * (amount.perSeat ?? 0);
  const net = gross * (1 - (discountPercent ?? 0) / 100) - (discountAmount ?? 0);
  return Math.round(Math.max(0, net) / MONTHS[cost.interval]);
}
