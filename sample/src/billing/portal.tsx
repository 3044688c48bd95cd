import { Button, type ButtonProps } from '@mui/material';
import { unwrap } from '@tenantry/client';
import { useMutation } from '@tanstack/react-query';
import { Why } from '../form/why';
import { api, useActing } from '../session';

/**
 * To the processor's page where the card, the plan and the end are: the browser goes there, and
 * comes back to /billing.
 */
export function PortalButton({ caption, variant }: { caption: string; variant?: ButtonProps['variant'] }) {
  const acting = useActing();
  const opening = useMutation({
    mutationFn: async () => unwrap(await api.POST('/billing/portal')),
    onSuccess: ({ portalUrl }) => location.assign(portalUrl),
  });
  return (
    <Why not={acting}>
      <Button
        color="inherit"
        variant={variant}
        size={variant ? 'medium' : 'small'}
        disabled={Boolean(acting)}
        loading={opening.isPending}
        onClick={() => opening.mutate()}
      >
        {caption}
      </Button>
    </Why>
  );
}
