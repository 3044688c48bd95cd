/** The plans (docs/specification.md, Subscription). */
export const PLANS = ['Free', 'Pro', 'Business'] as const;
export type Plan = (typeof PLANS)[number];
/** The plans with a Stripe price. */
export const PAID_PLANS = ['Pro', 'Business'] as const;
export type PaidPlan = (typeof PAID_PLANS)[number];

/** Days of free trial on a tenant's first paid subscription (docs/specification.md, Limits). */
export const TRIAL_DAYS = 14;

/** The limits of a plan; null: unlimited. */
export interface PlanLimits {
  readonly projects: number | null;
  /** Invitation emails, resent ones included (docs/contract.md, Email limits). */
  readonly invitationsPerDay: number;
}

export const PLAN_LIMITS: Record<Plan, PlanLimits> = {
  Free: { projects: 3, invitationsPerDay: 20 },
  Pro: { projects: null, invitationsPerDay: 500 },
  Business: { projects: null, invitationsPerDay: 500 },
};
