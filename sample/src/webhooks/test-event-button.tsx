import { Button } from '@mui/material';
import { unwrap } from '@tenantry/client';
import { useMutation } from '@tanstack/react-query';
import { DisabledReason } from '../form/disabled-reason';
import { useToast } from '../layout/toasts';
import { api } from '../session';
import type { Webhook } from './webhook-queries';

/** Sends an event of the type webhook.test to an endpoint. */
export function TestEventButton({ webhook: { id, disabledAt } }: { webhook: Webhook }) {
  const showToast = useToast();
  const sending = useMutation({
    mutationFn: async () => unwrap(await api.POST('/tenants/current/webhooks/{id}/test', { params: { path: { id } } })),
    onSuccess: () => showToast('Test event sent. The outcome appears under Deliveries.'),
  });
  return (
    <DisabledReason reason={disabledAt ? 'Enable the webhook first.' : undefined}>
      <Button
        variant="contained"
        disabled={disabledAt !== null}
        loading={sending.isPending}
        onClick={() => sending.mutate()}
      >
        Send test event
      </Button>
    </DisabledReason>
  );
}
