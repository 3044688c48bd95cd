import type { RowCount } from '../../../platform/database/row-counts';
import type { Subscription } from '../../subscriptions/domain/subscription';
import type { PaymentTerms } from './monthly-amount';
import { revenueStatusOf, type RevenueStatus } from './revenue-status';

/** What a subscription is for and what it pays. */
export interface SubscriptionTerms extends PaymentTerms {
  readonly plan: Subscription['plan'];
  readonly priceId: string | null;
}

/** A number of subscriptions that are the same in everything that decides on revenue. */
export interface CountedTerms extends SubscriptionTerms {
  readonly status: RevenueStatus;
  readonly count: number;
}

/** The columns of a counted state, as the migration of `subscription_terms` lists them. */
type State = [
  status: Subscription['status'],
  processorStatus: string | null,
  plan: Subscription['plan'],
  priceId: string | null,
  currency: string | null,
  seats: number | null,
  discountPercent: number | null,
  discountAmount: number | null,
];

/** Reads a count of the database; none if these subscriptions do not count. */
export function countedTermsOf({ state, count }: Pick<RowCount, 'state' | 'count'>): CountedTerms[] {
  const [stored, processorStatus, plan, priceId, currency, seats, discountPercent, discountAmount] = JSON.parse(
    state,
  ) as State;
  const status = revenueStatusOf({ processorSubscriptionId: '', status: stored, processorStatus });
  return status ? [{ status, count, plan, priceId, currency, seats, discountPercent, discountAmount }] : [];
}
