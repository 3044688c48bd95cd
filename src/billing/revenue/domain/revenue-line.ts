import { CURRENCIES, type Currency } from '../../catalogue/domain/plan-catalogue';
import { PLANS, type Plan } from '../../entitlements/domain/plan';
import type { CountedTerms, SubscriptionTerms } from './counted-terms';

/** Subscriptions and their monthly revenue at one moment, of one plan and currency. */
export interface RevenueLine {
  readonly plan: Plan;
  /** Null: a currency that is not in the catalogue, or unknown. */
  readonly currency: Currency | null;
  readonly active: number;
  readonly pastDue: number;
  readonly trialing: number;
  /** How many of these have no known amount. */
  readonly unpriced: number;
  /** Of active and past due ones, in the smallest unit of the currency. */
  readonly mrr: number;
  readonly pastDueMrr: number;
  /** What the trials pay when they convert. */
  readonly trialMrr: number;
}

type Amounts = (terms: SubscriptionTerms) => number | null;
type Key = Pick<RevenueLine, 'plan' | 'currency'>;

/** Our currency with this code; null for others. */
export const currencyOf = (code: string | null): Currency | null => CURRENCIES.find((one) => one === code) ?? null;

/** Every plan in every currency; Free is for prices that belong to no plan. */
export const REVENUE_KEYS: readonly Key[] = PLANS.flatMap((plan) =>
  [...CURRENCIES, null].map((currency) => ({ plan, currency })),
);

/** A line for each plan in each currency, also if there is nothing to count. */
export function revenueLines(counted: readonly CountedTerms[], amountOf: Amounts): RevenueLine[] {
  return REVENUE_KEYS.map((key) =>
    lineOf(
      key,
      counted.filter(({ plan, currency }) => plan === key.plan && currencyOf(currency) === key.currency),
      amountOf,
    ),
  );
}

function lineOf(key: Key, counted: readonly CountedTerms[], amountOf: Amounts): RevenueLine {
  const line = { ...key, active: 0, pastDue: 0, trialing: 0, unpriced: 0, mrr: 0, pastDueMrr: 0, trialMrr: 0 };
  for (const terms of counted) {
    const { status, count } = terms;
    const amount = amountOf(terms);
    line[status] += count;
    if (amount === null) line.unpriced += count;
    const total = (amount ?? 0) * count;
    if (status === 'trialing') line.trialMrr += total;
    else line.mrr += total;
    if (status === 'pastDue') line.pastDueMrr += total;
  }
  return line;
}
