import { invoiceTotals } from './invoice-totals';
import { taxTerms } from './invoice-terms';
import { amountFor } from './price-amounts';
import type { SessionRecord } from './records';
import type { State } from './state';

/**
 * What a checkout costs today: nothing during a trial.
 * @param isTrialFree false: what it costs after the trial, with the same discount
 */
export function sessionTotals(state: State, session: SessionRecord, isTrialFree = true) {
  const { price, quantity, currency, trialDays, trialEnd, promotion, isTaxAutomatic } = session;
  const isFree = isTrialFree && (trialDays !== null || trialEnd !== null);
  const amount = isFree ? 0 : amountFor(state.priceOf(session), quantity, currency);
  const line = { price, quantity, amount, isProration: false, description: '', periodStart: 0, periodEnd: 0 };
  const coupon = promotion ? state.coupons.get(promotion.coupon) : undefined;
  const { subtotal, total, discounts, tax } = invoiceTotals([line], {
    currency,
    balance: 0,
    discounts: coupon ? [{ id: '', coupon }] : [],
    tax: isTaxAutomatic ? taxTerms(state, session) : null,
  });
  return { subtotal, total, discount: discounts[0]?.amount ?? 0, tax: tax?.amount ?? 0 };
}
