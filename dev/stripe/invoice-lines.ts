import { amountFor } from './price-amounts';
import type { InvoiceLine, SubscriptionRecord } from './records';
import type { State } from './state';

/** What an invoice line is about: a subscription as it is, was or would be. */
type Charged = Pick<SubscriptionRecord, 'price' | 'quantity' | 'currency'>;

/** The line for the whole current period. It costs nothing during a trial. */
export function periodLine(state: State, subscription: SubscriptionRecord): InvoiceLine {
  const { price, quantity, currency, status, periodStart, periodEnd } = subscription;
  const record = state.priceOf({ price });
  const name = productName(state, price);
  const isTrial = status === 'trialing';
  return {
    price,
    quantity,
    amount: isTrial ? 0 : amountFor(record, quantity, currency),
    isProration: false,
    description: isTrial ? `Trial period for ${name}` : `${quantity} × ${name} (per ${record.interval})`,
    periodStart,
    periodEnd,
  };
}

/**
 * The credit for the rest of the current period, which was paid in advance.
 * @param at in seconds
 */
export function unusedTime(state: State, subscription: SubscriptionRecord, at: number): InvoiceLine {
  const line = restOfPeriod(state, subscription, subscription, at, 'Unused');
  return { ...line, amount: 0 - line.amount };
}

/**
 * What the rest of the current period costs after a change.
 * @param period the subscription whose period it is
 * @param after the subscription with its new price and quantity
 * @param at in seconds
 */
export function remainingTime(state: State, period: SubscriptionRecord, after: Charged, at: number): InvoiceLine {
  return restOfPeriod(state, period, after, at, 'Remaining');
}

function restOfPeriod(
  state: State,
  { periodStart, periodEnd }: SubscriptionRecord,
  { price, quantity, currency }: Charged,
  at: number,
  what: 'Unused' | 'Remaining',
): InvoiceLine {
  const share = Math.max(0, periodEnd - at) / (periodEnd - periodStart);
  const day = new Date(at * 1000).toISOString().slice(0, 10);
  return {
    price,
    quantity,
    amount: Math.round(amountFor(state.priceOf({ price }), quantity, currency) * share),
    isProration: true,
    description: `${what} time on ${quantity} × ${productName(state, price)} after ${day}`,
    periodStart: at,
    periodEnd,
  };
}

function productName(state: State, price: string): string {
  return state.products.get(state.priceOf({ price }).product)!.name;
}
