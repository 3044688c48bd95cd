import { PLANS, type Plan } from './plan';

/** A limit of each plan; null: unlimited. The description is that of the API document. */
type Limit = Readonly<Record<Plan, number | null>> & { readonly description: string };

/**
 * The limits. `plan-limit-check.ts` checks them, but for invitation emails: `invitation-quota.ts`
 * counts those per day, resent ones too (docs/contract.md, Email limits).
 */
export const LIMITS = {
  projects: { description: 'Maximum number of projects; null if unlimited', Free: 3, Pro: null, Business: null },
  invitationsPerDay: {
    description: 'Maximum number of invitation emails per day, including resent ones',
    Free: 20,
    Pro: 500,
    Business: 500,
  },
} satisfies Record<string, Limit>;

/** A limit of how many there are at a time; its name is the noun of what is counted. */
export type CountedLimit = Exclude<keyof typeof LIMITS, 'invitationsPerDay'>;

/** The limits of a plan; null: unlimited. */
export type PlanLimits = { readonly [Name in keyof typeof LIMITS]: (typeof LIMITS)[Name][Plan] };

/** The limits of all plans. */
export const PLAN_LIMITS = Object.fromEntries(PLANS.map((plan) => [plan, limitsOf(plan)])) as Record<Plan, PlanLimits>;

function limitsOf(plan: Plan): Record<string, number | null> {
  return Object.fromEntries(Object.entries(LIMITS).map(([name, limit]) => [name, limit[plan]]));
}
