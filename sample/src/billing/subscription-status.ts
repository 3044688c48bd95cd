import type { Schemas } from '@tenantry/client';

type View = Schemas['SubscriptionView'];

/** Whether there is a subscription that continues: a checkout would create a second one. */
export const isLive = ({ processorSubscriptionId, status }: View) =>
  processorSubscriptionId !== null && status !== 'Canceled';

/** Whether the plan can be changed: not while a payment is due. */
export const isChangeable = ({ status }: View) => status === 'Active' || status === 'Trialing';

/**
 * The plan that the subscription continues with; Free after it has ended, and while it is paused.
 * What the workspace may use is in its entitlements (`entitlements.ts`).
 */
export const continuingPlan = ({ plan, status }: View) =>
  status === 'Canceled' || status === 'Paused' ? 'Free' : plan;

/**
 * When a canceled subscription ends, as an ISO time: a trial with itself, others with their period.
 */
export const endOf = ({ status, trialEndsAt, currentPeriodEnd }: View): string | null =>
  status === 'Trialing' ? (trialEndsAt ?? currentPeriodEnd) : currentPeriodEnd;

/** Whether there is a plan to lose. A paused subscription is ended in the billing portal. */
export const isCancelable = (view: View) => isLive(view) && continuingPlan(view) !== 'Free' && !view.cancelAtPeriodEnd;
