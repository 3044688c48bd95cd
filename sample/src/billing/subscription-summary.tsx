import { Chip, type ChipProps } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { longDate } from '../date-format';
import { ListRow } from '../list/list-row';
import { PortalButton } from './portal-button';

type View = Schemas['SubscriptionView'];

const STATUS_CHIPS: Record<View['status'], { label: string; color: ChipProps['color'] }> = {
  Active: { label: 'Active', color: 'success' },
  Trialing: { label: 'Trial', color: 'info' },
  PastDue: { label: 'Payment failed', color: 'error' },
  Canceled: { label: 'Ended', color: 'default' },
  Paused: { label: 'Paused', color: 'warning' },
};

/** Whether there is a subscription that continues: a checkout would create a second one. */
export const isLive = ({ processorSubscriptionId, status }: View) =>
  processorSubscriptionId !== null && status !== 'Canceled';

/** The plan whose features apply. Ended and paused subscriptions count as Free. */
export const effectivePlan = ({ plan, status }: View) => (status === 'Canceled' || status === 'Paused' ? 'Free' : plan);

/** The plan with its status, and the button that opens the billing portal. */
export function SubscriptionSummary({ subscription, canPay }: { subscription: View; canPay: boolean }) {
  const { plan, status, processorSubscriptionId, cancelAtPeriodEnd } = subscription;
  const chip = cancelAtPeriodEnd && isLive(subscription) ? CANCELING : STATUS_CHIPS[status];
  const title = (
    <>
      {plan} {plan !== 'Free' && <Chip size="small" {...chip} />}
    </>
  );
  return (
    <ListRow
      title={title}
      text={describeSubscription(subscription) + (canPay ? '' : ' You don’t have permission to change it.')}
    >
      {canPay && processorSubscriptionId && (
        <PortalButton label={isLive(subscription) ? 'Manage subscription' : 'View invoices'} variant="outlined" />
      )}
    </ListRow>
  );
}

const CANCELING = { label: 'Cancels soon', color: 'warning' } as const;

/** What happens next with the subscription. */
function describeSubscription({ plan, status, trialEndsAt, currentPeriodEnd, cancelAtPeriodEnd }: View): string {
  const next = currentPeriodEnd ? longDate(currentPeriodEnd) : undefined;
  if (plan === 'Free') return 'Free forever.';
  if (status === 'Canceled') return 'This subscription has ended. You can choose a plan again at any time.';
  if (status === 'Paused') return 'Paused. This workspace is on Free until the subscription resumes.';
  if (status === 'PastDue') return 'The last payment failed. Update your payment method.';
  if (cancelAtPeriodEnd) return next ? `Ends on ${next}.` : 'Ends automatically.';
  if (status === 'Trialing') return trialEndsAt ? `Trial ends on ${longDate(trialEndsAt)}.` : 'On trial.';
  return next ? `Renews on ${next}.` : 'Renews automatically.';
}
