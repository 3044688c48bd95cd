import { Button } from '@mui/material';
import { unwrap } from '@tenantry/client';
import { useMutation } from '@tanstack/react-query';
import { DisabledReason } from '../form/disabled-reason';
import { useToast } from '../layout/toasts';
import { api } from '../session';
import type { Webhook } from './webhook-queries';

/** Sends the challenge of an endpoint again. */
export function VerifyButton({ webhook: { id, disabledAt } }: { webhook: Webhook }) {
  const showToast = useToast();
  const params = { path: { id } };
  const sending = useMutation({
    mutationFn: async () => unwrap(await api.POST('/tenants/current/webhooks/{id}/verify', { params })),
    onSuccess: () => showToast('Challenge sent, at most once a minute. The outcome appears under Deliveries.'),
  });
  return (
    <DisabledReason reason={disabledAt ? 'Enable the webhook first.' : undefined}>
      <Button
        variant="contained"
        disabled={disabledAt !== null}
        loading={sending.isPending}
        onClick={() => sending.mutate()}
      >
        Send challenge again
      </Button>
    </DisabledReason>
  );
}
