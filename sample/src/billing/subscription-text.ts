import type { Schemas } from '@tenantry/client';
import { longDate } from '../date-format';
import { describeMethod } from './payment-method-on-file';
import { INTERVALS } from './plan-change';
import { paymentText, type Plan, type Price } from './plan-prices';
import { endOf, isLive } from './subscription-status';

type View = Schemas['SubscriptionView'];

/** What is paid next, as far as it is known. */
export interface Payment {
  readonly plans: readonly Plan[] | undefined;
  readonly method: Schemas['PaymentMethodOnFileView'] | null | undefined;
}

/** What happens next with the subscription. */
export function describeSubscription(subscription: View, payment: Payment): string {
  const { interval, cancelAtPeriodEnd, pendingChange } = subscription;
  const isRenewed = isLive(subscription) && !cancelAtPeriodEnd;
  const billed = interval && `Billed ${INTERVALS[interval]}`;
  return [
    describeNext(subscription),
    isRenewed &&
      !pendingChange &&
      (afterTrial(subscription, payment) ?? (billed && `${billed}${discountOf(subscription)}.`)),
  ]
    .filter(Boolean)
    .join(' ');
}

/** "Switches to Business on December 11, 2026: $990 a year." */
export function describeChange(subscription: View, plans: readonly Plan[] | undefined): string {
  const { pendingChange, seats } = subscription;
  if (!pendingChange) return '';
  const plan = pendingChange.plan ?? subscription.plan;
  const interval = pendingChange.interval ?? subscription.interval;
  const price = priceFor({ ...subscription, plan, interval }, plans);
  const isSamePlan = plan === subscription.plan;
  const to = isSamePlan && interval ? `${INTERVALS[interval]} billing` : plan;
  const cost = price
    ? `: ${paymentText(price, seats ?? 0)}${taxOf(price)}`
    : interval && `, billed ${INTERVALS[interval]}`;
  return `Switches to ${to} on ${longDate(pendingChange.at)}${cost ?? ''}${discountOf(subscription)}.`;
}

const discountOf = ({ discount }: View) => (discount ? `, with ${discount} off` : '');
const taxOf = ({ taxBehavior }: Price) => (taxBehavior === 'exclusive' ? ' plus tax' : '');

function priceFor({ plan, interval, currency }: View, plans: Payment['plans']): Price | undefined {
  const { prices } = plans?.find(({ name }) => name === plan) ?? {};
  return prices?.find((price) => price.interval === interval && price.currency === currency);
}

/** "Then $29 a month, charged to Visa ending in 4242."; undefined where the price is not known. */
function afterTrial(subscription: View, { plans, method }: Payment): string | undefined {
  const price = subscription.status === 'Trialing' ? priceFor(subscription, plans) : undefined;
  if (!price) return undefined;
  const amount = paymentText(price, subscription.seats ?? 0) + taxOf(price) + discountOf(subscription);
  return `Then ${amount}${method ? `, charged to ${describeMethod(method)}` : ''}.`;
}

function describeNext(subscription: View): string {
  const { plan, status, trialEndsAt, cancelAtPeriodEnd, pendingChange } = subscription;
  const end = endOf(subscription);
  const next = end ? longDate(end) : undefined;
  if (plan === 'Free') return 'Free forever.';
  if (status === 'Canceled') return 'This subscription has ended. You can choose a plan again at any time.';
  if (status === 'Paused') return 'Paused. This workspace is on Free until the subscription resumes.';
  const ending = cancelAtPeriodEnd && `${plan} ends ${next ? `on ${next}` : 'soon'} and isn’t renewed.`;
  if (status === 'PastDue')
    return ['The last payment failed. Update your payment method.', ending].filter(Boolean).join(' ');
  if (ending) return ending;
  if (status === 'Trialing') return trialEndsAt ? `Your trial ends on ${longDate(trialEndsAt)}.` : 'On trial.';
  if (pendingChange) return `${plan} until ${longDate(pendingChange.at)}.`;
  return next ? `Renews on ${next}.` : 'Renews automatically.';
}
