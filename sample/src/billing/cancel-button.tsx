import type { ButtonProps } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { longDate } from '../date-format';
import { DialogButton } from '../form/form-dialog';
import { api, useImpersonationBlock } from '../session';
import { DowngradeWarning } from './downgrade-warning';
import { endOf } from './subscription-status';

type View = Schemas['SubscriptionView'];

interface CancelButtonProps {
  readonly subscription: View;
  readonly label?: string;
  readonly variant?: ButtonProps['variant'];
}

/** Ends the subscription with its period, after showing what that means. */
export function CancelButton({ subscription, label = 'Cancel plan', variant }: CancelButtonProps) {
  const blocked = useImpersonationBlock();
  const { plan } = subscription;
  return (
    <DialogButton
      button={label}
      variant={variant}
      disabledReason={blocked}
      title={`Cancel ${plan}?`}
      text={describeEnd(subscription)}
      submit="Cancel plan"
      cancelLabel={`Keep ${plan}`}
      isDanger
      send={() => api.POST('/billing/cancel')}
    >
      <DowngradeWarning plan={plan} />
    </DialogButton>
  );
}

/** Until when the plan stays, and what is still paid. */
function describeEnd(subscription: View): string {
  const { plan, status, pendingChange } = subscription;
  const end = endOf(subscription);
  const until = end ? `until ${longDate(end)}` : 'until its period ends';
  return [
    status === 'Trialing'
      ? `You keep ${plan} ${until}, when the trial ends. Nothing is charged.`
      : `You keep ${plan} ${until}. After that, it isn’t renewed.`,
    status === 'PastDue' && 'The payment that failed is still due.',
    pendingChange && 'The scheduled change is canceled.',
    'You can change your mind until then.',
  ]
    .filter(Boolean)
    .join(' ');
}
