import type { Plan } from '../../entitlements/domain/plan';
import { PLAN_LIMITS, type PlanLimits } from '../../entitlements/domain/plan-limits';
import {
  CURRENCIES,
  FEATURES,
  PLAN_CATALOGUE,
  type BillingInterval,
  type Currency,
  type PlanEntitlements,
  type TaxBehavior,
  type TrialTerms,
} from './plan-catalogue';
import type { PlanPrice } from './plan-price';

/** The amount of a plan for each billing period, in one currency. */
export interface OfferedPrice {
  readonly interval: BillingInterval;
  readonly currency: Currency;
  readonly amount: number;
  readonly perSeat: number | null;
  readonly includedSeats: number | null;
  readonly taxBehavior: TaxBehavior;
}

/** The kinds of entitlements: a limit, a number of days, or a feature. */
export const ENTITLEMENT_KINDS = ['limit', 'days', 'feature'] as const;

/** What a plan allows: how many, for how many days, or whether. */
export interface OfferedEntitlement {
  readonly name: string;
  readonly kind: (typeof ENTITLEMENT_KINDS)[number];
  /** A number, null for unlimited; of a feature, whether the plan has it. */
  readonly value: number | boolean | null;
}

/** A plan as everybody may see it. */
export interface PlanOffer {
  readonly name: Plan;
  readonly description: string;
  readonly trialDays: number;
  readonly trial: Pick<TrialTerms, 'days' | 'card'> | null;
  readonly prices: readonly OfferedPrice[];
  readonly entitlements: readonly OfferedEntitlement[];
  readonly limits: PlanLimits;
  readonly available: boolean;
}

/**
 * What a plan offers.
 * @param prices the prices that are for sale
 * @param isBillingSetUp whether anything can be bought
 */
export function planOffer(name: Plan, prices: readonly PlanPrice[], isBillingSetUp: boolean): PlanOffer {
  const { description, trial, entitlements } = PLAN_CATALOGUE[name];
  const own = prices.filter(({ plan }) => plan === name);
  return {
    name,
    description,
    trialDays: trial?.days ?? 0,
    trial: trial && { days: trial.days, card: trial.card },
    prices: own.flatMap(offeredPrices),
    entitlements: offeredEntitlements(entitlements),
    limits: PLAN_LIMITS[name],
    available: name === 'Free' || (isBillingSetUp && own.length > 0),
  };
}

const offeredPrices = ({ interval, amounts, taxBehavior }: PlanPrice): OfferedPrice[] =>
  CURRENCIES.flatMap((currency) => {
    const amount = amounts[currency];
    if (!amount) return [];
    const { base, perSeat, includedSeats } = amount;
    return [{ interval, currency, amount: base, perSeat, includedSeats, taxBehavior }];
  });

function offeredEntitlements(entitlements: PlanEntitlements): OfferedEntitlement[] {
  const { projects, keys, seats, invitationsPerDay, auditRetentionDays, features } = entitlements;
  const limits = { projects, keys, seats: seats.most, invitationsPerDay };
  return [
    ...Object.entries(limits).map(([name, value]) => ({ name, kind: 'limit' as const, value })),
    { name: 'auditRetentionDays', kind: 'days', value: auditRetentionDays },
    ...FEATURES.map((name) => ({ name, kind: 'feature' as const, value: features.includes(name) })),
  ];
}
