/** The plans (docs/specification.md, Subscription). */
export const PLANS = ['Free', 'Pro', 'Business'] as const;
export type Plan = (typeof PLANS)[number];
/** The plans with a Stripe price. */
export const PAID_PLANS = ['Pro', 'Business'] as const;
export type PaidPlan = (typeof PAID_PLANS)[number];

/** Days of free trial on a tenant's first paid subscription (docs/specification.md, Limits). */
export const TRIAL_DAYS = 14;
