import { Alert, Chip, type ChipProps } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { ListRow } from '../list/list-row';
import { CancelButton } from './cancel-button';
import { usePaymentMethod } from './payment-method-on-file';
import { INTERVALS } from './plan-change';
import { usePlans } from './plan-prices';
import { PortalButton } from './portal-button';
import { ResumeButton } from './resume-button';
import { isCancelable, isLive } from './subscription-status';
import { describeChange, describeSubscription } from './subscription-text';

type View = Schemas['SubscriptionView'];

const STATUS_CHIPS: Record<View['status'], { label: string; color: ChipProps['color'] }> = {
  Active: { label: 'Active', color: 'success' },
  Trialing: { label: 'Trial', color: 'info' },
  PastDue: { label: 'Payment failed', color: 'error' },
  Canceled: { label: 'Ended', color: 'default' },
  Paused: { label: 'Paused', color: 'warning' },
};

/** The plan with its status, what happens next, and the buttons that change that. */
export function SubscriptionSummary({ subscription, canPay }: { subscription: View; canPay: boolean }) {
  const { plan, status, processorSubscriptionId, cancelAtPeriodEnd } = subscription;
  const isContinuing = isLive(subscription);
  const isPaused = status === 'Paused';
  const plans = usePlans().data;
  const method = usePaymentMethod(status === 'Trialing' && subscription.processorCustomerId !== null).data?.onFile;
  const chip = cancelAtPeriodEnd && isContinuing ? CANCELING : STATUS_CHIPS[status];
  const title = (
    <>
      {plan} {plan !== 'Free' && <Chip size="small" {...chip} />}
    </>
  );
  return (
    <>
      <ListRow
        title={title}
        text={
          describeSubscription(subscription, { plans, method }) +
          (canPay ? '' : ' You don’t have permission to change it.')
        }
      >
        {canPay && isContinuing && (cancelAtPeriodEnd || isPaused) && (
          <ResumeButton
            label={`${isPaused ? 'Resume' : 'Keep'} ${plan}`}
            done={`${plan} continues.`}
            variant="contained"
          />
        )}
        {canPay && processorSubscriptionId && (
          <PortalButton label={isContinuing ? 'Manage subscription' : 'View invoices'} variant="outlined" />
        )}
        {canPay && isCancelable(subscription) && <CancelButton subscription={subscription} />}
      </ListRow>
      <PendingChange subscription={subscription} canPay={canPay} />
    </>
  );
}

/** A scheduled change, and the button that cancels it. */
function PendingChange({ subscription, canPay }: { subscription: View; canPay: boolean }) {
  const plans = usePlans().data;
  const { pendingChange, plan, interval } = subscription;
  if (!pendingChange) return null;
  const keep = `Keep ${plan}${interval ? ` ${INTERVALS[interval]}` : ''}`;
  return (
    <Alert
      severity="info"
      sx={NARROW_WRAPS}
      action={canPay && <ResumeButton label={keep} done="Scheduled change canceled." />}
    >
      {describeChange(subscription, plans)}
      {canPay && ' Choosing or canceling a plan replaces this change.'}
    </Alert>
  );
}

const CANCELING = { label: 'Canceling', color: 'warning' } as const;

/** On a phone the button is below the text. */
const NARROW_WRAPS = { flexWrap: 'wrap', '& .MuiAlert-message': { flex: '1 1 12rem' } };
