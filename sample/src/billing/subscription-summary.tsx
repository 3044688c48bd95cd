import { Chip, type ChipProps } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { ListRow } from '../list/list-row';
import { day } from '../date-format';
import { PortalButton } from './portal-button';

type View = Schemas['SubscriptionView'];

const LABELS: Record<View['status'], { label: string; color: ChipProps['color'] }> = {
  Active: { label: 'Active', color: 'success' },
  Trialing: { label: 'Trial', color: 'info' },
  PastDue: { label: 'Payment failed', color: 'error' },
  Canceled: { label: 'Ended', color: 'default' },
  Paused: { label: 'Paused', color: 'warning' },
};

/**
 * Whether the processor has a subscription that goes on, and that another checkout would come twice
 * to.
 */
export const isLive = ({ processorSubscriptionId, status }: View) =>
  processorSubscriptionId !== null && status !== 'Canceled';

/** The plan that counts: what has ended or rests is Free. */
export const effectivePlan = ({ plan, status }: View) => (status === 'Canceled' || status === 'Paused' ? 'Free' : plan);

/** How it stands with the subscription, in a sentence. */
function describeSubscription({ plan, status, trialEndsAt, currentPeriodEnd, cancelAtPeriodEnd }: View): string {
  const next = currentPeriodEnd ? day(currentPeriodEnd) : undefined;
  if (plan === 'Free') return 'Free, for as long as you like.';
  if (status === 'Canceled') return 'It has ended. You can choose a plan again at any time.';
  if (status === 'Paused') return 'It is paused; this workspace is on Free meanwhile.';
  if (status === 'PastDue') return 'The last payment did not go through. Please look at the card.';
  if (cancelAtPeriodEnd) return next ? `It ends on ${next}.` : 'It will end by itself.';
  if (status === 'Trialing') return trialEndsAt ? `The trial goes until ${day(trialEndsAt)}.` : 'You are trying it.';
  return next ? `It renews on ${next}.` : 'It renews by itself.';
}

/** The subscription as it is, and the way to change it. */
export function SubscriptionSummary({ subscription, canPay }: { subscription: View; canPay: boolean }) {
  const title = (
    <>
      {subscription.plan} {subscription.plan !== 'Free' && <Chip size="small" {...LABELS[subscription.status]} />}
    </>
  );
  return (
    <ListRow
      title={title}
      text={describeSubscription(subscription) + (canPay ? '' : ' Only the owner of this workspace can change it.')}
    >
      {canPay && subscription.processorCustomerId && <PortalButton caption="Manage subscription" variant="outlined" />}
    </ListRow>
  );
}
