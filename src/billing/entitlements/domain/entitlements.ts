import { FEATURES, LIMITS, PLAN_CATALOGUE, type Feature } from '../../catalogue/domain/plan-catalogue';
import { PLAN_LIMITS, type LimitName, type PlanLimits } from './plan-limits';
import { PLANS, type Plan } from './plan';

/** The names of what a plan allows: limits, then features. */
export const ENTITLEMENTS = [...(Object.keys(LIMITS) as LimitName[]), ...FEATURES];
export type EntitlementName = LimitName | Feature;

/** Entitlements that differ from those of the plan. A limit of null: unlimited. */
export type EntitlementValues = Partial<PlanLimits> & { readonly [Name in Feature]?: boolean };

/** An override by an operator, for a limited time. */
export interface EntitlementGrant {
  /** Null: the plan of the subscription. */
  readonly plan: Plan | null;
  readonly entitlements: EntitlementValues;
}

/** What a tenant may do. */
export interface Entitlements {
  /** The plan in force, from which all but the overridden entitlements come. */
  readonly plan: Plan;
  readonly limits: PlanLimits;
  readonly features: readonly Feature[];
  /** The entitlements that an operator has set. */
  readonly overridden: readonly EntitlementName[];
}

/**
 * What a tenant may do: the entitlements of its plan, or of a higher one that an operator has given
 * it, and in their place those that the operator has set (docs/contract.md, Entitlements).
 * @param subscribed the plan in force by its subscription
 * @param grant      the override that is in force
 */
export function entitlementsOf(subscribed: Plan, grant?: EntitlementGrant): Entitlements {
  const plan = higherOf(subscribed, grant?.plan ?? 'Free');
  const own = grant?.entitlements ?? {};
  const { features } = PLAN_CATALOGUE[plan].entitlements;
  const isLimit = ([name]: [string, unknown]) => name in LIMITS;
  return {
    plan,
    limits: { ...PLAN_LIMITS[plan], ...Object.fromEntries(Object.entries(own).filter(isLimit)) },
    features: FEATURES.filter((feature) => own[feature] ?? features.includes(feature)),
    overridden: ENTITLEMENTS.filter((name) => own[name] !== undefined),
  };
}

const higherOf = (one: Plan, other: Plan): Plan => (PLANS.indexOf(one) < PLANS.indexOf(other) ? other : one);
