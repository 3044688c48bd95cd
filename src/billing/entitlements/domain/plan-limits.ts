import { LIMITS, PLAN_CATALOGUE, type PlanEntitlements } from '../../catalogue/domain/plan-catalogue';
import { PLANS, type Plan } from './plan';

/** The name of a limit. */
export type LimitName = keyof typeof LIMITS;

/** Limits that have other checks than `plan-limit-check.ts`. */
const OTHERS = ['seats', 'invitationsPerDay', 'auditRetentionDays'] as const satisfies readonly LimitName[];

/** A limit of how many rows there are at a time; its name is the noun of what is counted. */
export type CountedLimit = Exclude<LimitName, (typeof OTHERS)[number]>;
/** The names of the counted limits. */
export const COUNTED_LIMITS = (Object.keys(LIMITS) as LimitName[]).filter(
  (name): name is CountedLimit => !OTHERS.some((other) => other === name),
);

/** The limits of a plan; null: unlimited. */
export type PlanLimits = Readonly<Record<Exclude<CountedLimit, 'keys'> | 'seats', number | null>> &
  Pick<PlanEntitlements, 'keys' | 'invitationsPerDay' | 'auditRetentionDays'>;

/** The limits of all plans. */
export const PLAN_LIMITS = Object.fromEntries(PLANS.map((plan) => [plan, limitsOf(plan)])) as Record<Plan, PlanLimits>;

function limitsOf(plan: Plan): PlanLimits {
  const { entitlements } = PLAN_CATALOGUE[plan];
  const values = { ...entitlements, seats: entitlements.seats.most };
  return Object.fromEntries((Object.keys(LIMITS) as LimitName[]).map((name) => [name, values[name]])) as PlanLimits;
}
