import { Alert, Chip, type ChipProps } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { longDate } from '../date-format';
import { ListRow } from '../list/list-row';
import { CancelButton } from './cancel-button';
import { INTERVALS } from './plan-change';
import { PortalButton } from './portal-button';
import { ResumeButton } from './resume-button';
import { isCancelable, isLive } from './subscription-status';
import { describeSubscription } from './subscription-text';

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
        text={describeSubscription(subscription) + (canPay ? '' : ' You don’t have permission to change it.')}
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
  const { pendingChange } = subscription;
  if (!pendingChange) return null;
  const { plan, interval, at } = pendingChange;
  const change = [plan ?? subscription.plan, interval && `billed ${INTERVALS[interval]}`].filter(Boolean).join(', ');
  return (
    <Alert severity="info" action={canPay && <ResumeButton label="Undo" done="Scheduled change canceled." />}>
      Changes to {change}, on {longDate(at)}.
    </Alert>
  );
}

const CANCELING = { label: 'Canceling', color: 'warning' } as const;
