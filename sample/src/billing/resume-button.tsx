import { Button, type ButtonProps } from '@mui/material';
import { unwrap } from '@tenantry/client';
import { useMutation } from '@tanstack/react-query';
import { DisabledReason } from '../form/disabled-reason';
import { useToast } from '../layout/toasts';
import { api, useImpersonationBlock } from '../session';

interface ResumeButtonProps {
  readonly label: string;
  /** The message after success. */
  readonly done: string;
  readonly variant?: ButtonProps['variant'];
}

/** Cancels a scheduled cancellation or plan change, or ends a pause. */
export function ResumeButton({ label, done, variant = 'outlined' }: ResumeButtonProps) {
  const blocked = useImpersonationBlock();
  const showToast = useToast();
  const resuming = useMutation({
    mutationFn: async () => unwrap(await api.POST('/billing/resume')),
    onSuccess: ({ status }) => showToast(status === 'Paused' ? STILL_PAUSED : done, 'subscription'),
  });
  return (
    <DisabledReason reason={blocked}>
      <Button
        variant={variant}
        sx={{ whiteSpace: 'nowrap' }}
        disabled={Boolean(blocked)}
        loading={resuming.isPending}
        onClick={() => resuming.mutate()}
      >
        {label}
      </Button>
    </DisabledReason>
  );
}

/** Stripe's owner has paused it, and only they can end that. */
const STILL_PAUSED = 'The subscription is still paused. Contact support to resume it.';
