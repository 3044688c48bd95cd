import type { Schemas } from '@tenantry/client';

type View = Schemas['SubscriptionView'];

/** Whether there is a subscription that continues: a checkout would create a second one. */
export const isLive = ({ processorSubscriptionId, status }: View) =>
  processorSubscriptionId !== null && status !== 'Canceled';

/** Whether the plan can be changed: not while a payment is due. */
export const isChangeable = ({ status }: View) => status === 'Active' || status === 'Trialing';

/** The plan whose features apply. Ended and paused subscriptions count as Free. */
export const effectivePlan = ({ plan, status }: View) => (status === 'Canceled' || status === 'Paused' ? 'Free' : plan);

/**
 * When a canceled subscription ends, as an ISO time: a trial with itself, others with their period.
 */
export const endOf = ({ status, trialEndsAt, currentPeriodEnd }: View): string | null =>
  status === 'Trialing' ? (trialEndsAt ?? currentPeriodEnd) : currentPeriodEnd;

/** Whether there is a plan to lose. A paused subscription is ended in the billing portal. */
export const isCancelable = (view: View) => isLive(view) && effectivePlan(view) !== 'Free' && !view.cancelAtPeriodEnd;
