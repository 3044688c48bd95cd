import type { Schemas } from '@tenantry/client';
import { longDate } from '../date-format';
import { INTERVALS } from './plan-change';
import { endOf, isLive } from './subscription-status';

type View = Schemas['SubscriptionView'];

/** What happens next with the subscription. */
export function describeSubscription(subscription: View): string {
  const { interval, discount, cancelAtPeriodEnd } = subscription;
  const isRenewed = isLive(subscription) && !cancelAtPeriodEnd;
  return [
    describeNext(subscription),
    isRenewed && interval && `Billed ${INTERVALS[interval]}${discount ? `, with ${discount} off` : ''}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

function describeNext(subscription: View): string {
  const { plan, status, trialEndsAt, cancelAtPeriodEnd } = subscription;
  const end = endOf(subscription);
  const next = end ? longDate(end) : undefined;
  if (plan === 'Free') return 'Free forever.';
  if (status === 'Canceled') return 'This subscription has ended. You can choose a plan again at any time.';
  if (status === 'Paused') return 'Paused. This workspace is on Free until the subscription resumes.';
  const ending = cancelAtPeriodEnd && `${plan} ends ${next ? `on ${next}` : 'soon'} and isn’t renewed.`;
  if (status === 'PastDue')
    return ['The last payment failed. Update your payment method.', ending].filter(Boolean).join(' ');
  if (ending) return ending;
  if (status === 'Trialing') return trialEndsAt ? `Trial ends on ${longDate(trialEndsAt)}.` : 'On trial.';
  return next ? `Renews on ${next}.` : 'Renews automatically.';
}
