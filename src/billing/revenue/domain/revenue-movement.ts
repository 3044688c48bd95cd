import type { Currency } from '../../catalogue/domain/plan-catalogue';
import type { Plan } from '../../entitlements/domain/plan';
import type { SubscriptionTerms } from './counted-terms';
import { currencyOf } from './revenue-line';
import { isPaying, revenueStatusOf, type StatusColumns } from './revenue-status';

/** What one change of a subscription adds to the counts of its day. */
export interface RevenueMovement {
  readonly plan: Plan;
  readonly currency: Currency | null;
  readonly trialsStarted: number;
  readonly conversions: number;
  readonly churned: number;
  readonly churnedUnpriced: number;
  readonly churnedMrr: number;
}

type Side = StatusColumns & SubscriptionTerms;

const NOTHING = { trialsStarted: 0, conversions: 0, churned: 0, churnedUnpriced: 0, churnedMrr: 0 };

/**
 * A trial that starts, a trial that becomes paid, or a paid subscription that no longer counts.
 * Undefined for any other change.
 * @param amountOf the monthly amount of terms; null: not known
 */
export function movementOf(
  before: Side,
  after: Side,
  amountOf: (terms: SubscriptionTerms) => number | null,
): RevenueMovement | undefined {
  const [from, to] = [revenueStatusOf(before), revenueStatusOf(after)];
  if (from === to) return undefined;
  const of = ({ plan, currency }: Side) => ({ plan, currency: currencyOf(currency), ...NOTHING });
  if (to === 'trialing') return { ...of(after), trialsStarted: 1 };
  if (from === 'trialing') return isPaying(to) ? { ...of(after), conversions: 1 } : undefined;
  if (!isPaying(from) || to !== null) return undefined;
  const amount = amountOf(before);
  return { ...of(before), churned: 1, churnedMrr: amount ?? 0, churnedUnpriced: amount === null ? 1 : 0 };
}
