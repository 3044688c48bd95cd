import { Button, type ButtonProps } from '@mui/material';
import { unwrap } from '@tenantry/client';
import { useMutation } from '@tanstack/react-query';
import { DisabledReason } from '../form/disabled-reason';
import { api, useImpersonationBlock } from '../session';

/**
 * Opens the billing portal of Stripe, to change the card or the plan or to cancel.
 * The browser comes back to /billing.
 */
export function PortalButton({ label, variant }: { label: string; variant?: ButtonProps['variant'] }) {
  const blocked = useImpersonationBlock();
  const opening = useMutation({
    mutationFn: async () => unwrap(await api.POST('/billing/portal')),
    onSuccess: ({ portalUrl }) => location.assign(portalUrl),
  });
  return (
    <DisabledReason reason={blocked}>
      <Button
        color="inherit"
        variant={variant}
        size={variant ? 'medium' : 'small'}
        disabled={Boolean(blocked)}
        loading={opening.isPending}
        onClick={() => opening.mutate()}
      >
        {label}
      </Button>
    </DisabledReason>
  );
}
