/** What a tenant can be subscribed to (specification, Subscription). */
export const PLANS = ['Free', 'Pro', 'Business'] as const;
export type Plan = (typeof PLANS)[number];
/** Those with a price at the processor. */
export const PAID_PLANS = ['Pro', 'Business'] as const;
export type PaidPlan = (typeof PAID_PLANS)[number];

/** Days that a tenant's first paid subscription costs nothing (specification, Limits). */
export const TRIAL_DAYS = 14;

/** What a plan allows; null: as much as one likes. */
export interface PlanLimits {
  readonly projects: number | null;
  /** Mails that invite somebody, sent again ones included (contract section 11, Mail). */
  readonly invitationsPerDay: number;
}

export const PLAN_LIMITS: Record<Plan, PlanLimits> = {
  Free: { projects: 3, invitationsPerDay: 20 },
  Pro: { projects: null, invitationsPerDay: 500 },
  Business: { projects: null, invitationsPerDay: 500 },
};
