import { Typography } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { QueryResult } from '../list/query-result';
import { useImpersonationBlock } from '../session';
import { ChoosePlanButton } from './choose-plan-button';
import { PlanGrid } from './plan-grid';
import { type Plan, usePlans } from './plan-prices';
import { continuingPlan, isChangeable, isLive } from './subscription-status';

interface PlanChoiceProps {
  readonly subscription: Schemas['SubscriptionView'];
  readonly canPay: boolean;
}

/** The plans, with the buttons that choose one. */
export function PlanChoice({ subscription, canPay }: PlanChoiceProps) {
  const plans = usePlans();
  const blocked = useImpersonationBlock();
  const { interval, currency } = subscription;
  return (
    <QueryResult from={plans}>
      {(all) => (
        <PlanGrid
          key={`${isLive(subscription)} ${interval} ${currency}`}
          plans={all}
          title={<Typography variant="h2">Plans</Typography>}
          current={continuingPlan(subscription)}
          subscribed={subscription}
          note={blocked ?? noteFor(subscription, all, canPay)}
          action={(plan, choice) => (
            <ChoosePlanButton {...{ plan, choice, subscription }} isDisabled={!canPay || Boolean(blocked)} />
          )}
        />
      )}
    </QueryResult>
  );
}

/** Why no plan can be chosen here, or how a subscription begins. */
function noteFor(
  subscription: Schemas['SubscriptionView'],
  plans: readonly Plan[],
  canPay: boolean,
): string | undefined {
  if (!canPay) return 'You don’t have permission to change the plan.';
  if (isLive(subscription))
    return isChangeable(subscription) ? undefined : 'To switch plans, update your payment method first.';
  const days = Math.max(...plans.map(({ trialDays }) => trialDays));
  return days > 0 && subscription.processorSubscriptionId === null
    ? `The first subscription of all your workspaces starts with a free trial of ${days} days.`
    : undefined;
}
