import { PLAN_CATALOGUE, type Feature } from '../../catalogue/domain/plan-catalogue';
import { PLAN_LIMITS, type LimitName } from './plan-limits';
import { PAID_PLANS, type PaidPlan } from './plan';

/** The `details` of a refusal: what it is about, and which plans would allow it. */
export type RefusalDetails = Readonly<Record<string, readonly string[]>>;

/** The plans that include a feature. */
export const plansWith = (feature: Feature): PaidPlan[] =>
  PAID_PLANS.filter((plan) => PLAN_CATALOGUE[plan].entitlements.features.includes(feature));

/** The details of a refusal because a feature is not included. */
export const featureDetails = (feature: Feature): RefusalDetails => ({
  entitlement: [feature],
  requiredPlan: plansWith(feature),
});

/** The details of a refusal because a limit is reached. @param used how many there are */
export const limitDetails = (limit: LimitName, most: number, used: number): RefusalDetails => ({
  entitlement: [limit],
  limit: [String(most)],
  used: [String(used)],
  requiredPlan: PAID_PLANS.filter((plan) => (PLAN_LIMITS[plan][limit] ?? Infinity) > used),
});
