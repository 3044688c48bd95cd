import { Box, Button } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { CancelButton } from './cancel-button';
import { ChangePlanButton } from './change-plan-button';
import { CheckoutForm } from './checkout-form';
import { isPlanned } from './plan-change';
import { type Plan, type PriceChoice, priceOf } from './plan-prices';
import { continuingPlan, isCancelable, isChangeable, isLive } from './subscription-status';

interface ChoosePlanButtonProps {
  readonly plan: Plan;
  readonly choice: PriceChoice;
  readonly subscription: Schemas['SubscriptionView'];
  readonly isDisabled: boolean;
}

/** Starts the checkout of a plan, or changes the subscription to it. */
export function ChoosePlanButton({ plan, choice, subscription, isDisabled }: ChoosePlanButtonProps) {
  const { name } = plan;
  const target = { planName: name, interval: choice.interval };
  const isSubscribed = isLive(subscription);
  const isCurrent =
    name === continuingPlan(subscription) &&
    (!isSubscribed || name === 'Free' || (subscription.interval ?? choice.interval) === choice.interval);
  if (isCurrent) return <DisabledButton label="Current plan" />;
  if (name === 'Free') {
    if (!isCancelable(subscription)) return <DisabledButton label="Scheduled" />;
    return isDisabled ? <DisabledButton label={TO_FREE} /> : <ToFreeButton subscription={subscription} />;
  }
  if (!plan.available || !priceOf(plan, choice)) return <DisabledButton label="Plan unavailable" />;
  if (!isSubscribed)
    return isDisabled ? <DisabledButton label={`Choose ${name}`} /> : <CheckoutForm {...{ name, choice }} />;
  if (isPlanned(subscription, target)) return <DisabledButton label="Scheduled" />;
  return <ChangePlanButton {...{ subscription, target }} isDisabled={isDisabled || !isChangeable(subscription)} />;
}

const TO_FREE = 'Switch to Free';

/** Free begins when the subscription ends. */
const ToFreeButton = ({ subscription }: Pick<ChoosePlanButtonProps, 'subscription'>) => (
  <Box sx={{ display: 'grid' }}>
    <CancelButton subscription={subscription} label={TO_FREE} variant="outlined" />
  </Box>
);

const DisabledButton = ({ label }: { label: string }) => (
  <Button variant="outlined" color="inherit" fullWidth disabled>
    {label}
  </Button>
);
