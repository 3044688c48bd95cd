import type { Schemas } from '@tenantry/client';
import type { Interval, Plan } from './plan-prices';

type Subscription = Schemas['SubscriptionView'];
type Preview = Schemas['ChangePreviewView'];

/** When a change of plan takes effect. */
export type Moment = 'now' | 'period-end';

/** The plan and interval to change to. */
export interface PlanTarget {
  readonly planName: Plan['name'];
  readonly interval: Interval;
}

/** "monthly", "yearly" */
export const INTERVALS: Readonly<Record<Interval, string>> = { month: 'monthly', year: 'yearly' };

const RANKS: readonly Plan['name'][] = ['Free', 'Pro', 'Business'];

/** More is offered at once; what is already paid for is used up before there is less. */
export function usualMoment({ plan, interval }: Subscription, target: PlanTarget): Moment {
  const isHigher = RANKS.indexOf(target.planName) > RANKS.indexOf(plan);
  const isLonger = target.planName === plan && target.interval === 'year' && interval === 'month';
  return isHigher || isLonger ? 'now' : 'period-end';
}

/** Whether the plan and the interval are those that the subscription changes to later. */
export const isPlanned = ({ pendingChange, plan, interval }: Subscription, target: PlanTarget): boolean =>
  pendingChange !== null &&
  (pendingChange.plan ?? plan) === target.planName &&
  (pendingChange.interval ?? interval) === target.interval;

/** When the first full period is paid, as an ISO time. Another interval begins a new period. */
export function nextPaymentAt(
  { status, trialEndsAt, interval, currentPeriodEnd }: Subscription,
  target: PlanTarget,
  preview: Preview,
  when: Moment,
): string {
  if (when === 'period-end') return preview.at;
  if (status === 'Trialing' && trialEndsAt) return trialEndsAt;
  if (interval === target.interval && currentPeriodEnd) return currentPeriodEnd;
  return afterOne(target.interval, new Date(preview.at)).toISOString();
}

/** The same day of the next month or year, or the last one of a shorter month. */
function afterOne(interval: Interval, start: Date): Date {
  const end = new Date(start);
  end.setUTCMonth(start.getUTCMonth() + (interval === 'year' ? 12 : 1));
  if (end.getUTCDate() !== start.getUTCDate()) end.setUTCDate(0);
  return end;
}
