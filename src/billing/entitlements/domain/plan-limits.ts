import type { Plan } from './plan';

/** The limits of a plan; null: unlimited. */
export interface PlanLimits {
  readonly projects: number | null;
  /** Invitation emails, resent ones included (docs/contract.md, Email limits). */
  readonly invitationsPerDay: number;
}

/** The limits of all plans. Commands check them under a lock, such as `create-project.ts`. */
export const PLAN_LIMITS: Record<Plan, PlanLimits> = {
  Free: { projects: 3, invitationsPerDay: 20 },
  Pro: { projects: null, invitationsPerDay: 500 },
  Business: { projects: null, invitationsPerDay: 500 },
};
