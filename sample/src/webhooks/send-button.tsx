import { Button } from '@mui/material';
import { type Answer, unwrap } from '@tenantry/client';
import { useMutation } from '@tanstack/react-query';
import { DisabledReason } from '../form/disabled-reason';
import { useToast } from '../layout/toasts';
import { api } from '../session';
import type { Webhook } from './webhook-queries';

interface SendButtonProps {
  readonly label: string;
  readonly webhook: Webhook;
  readonly send: () => Promise<Answer<unknown>>;
  /** The toast of a success. */
  readonly sent: string;
}

/** Has a message sent to an endpoint, unless it is disabled. */
function SendButton({ label, webhook: { disabledAt }, send, sent }: SendButtonProps) {
  const showToast = useToast();
  const sending = useMutation({ mutationFn: async () => unwrap(await send()), onSuccess: () => showToast(sent) });
  return (
    <DisabledReason reason={disabledAt ? 'Enable the webhook first.' : undefined}>
      <Button
        variant="contained"
        disabled={disabledAt !== null}
        loading={sending.isPending}
        onClick={() => sending.mutate()}
      >
        {label}
      </Button>
    </DisabledReason>
  );
}

/** Sends an event of the type webhook.test to an endpoint. */
export const TestEventButton = ({ webhook }: { webhook: Webhook }) => (
  <SendButton
    label="Send test event"
    webhook={webhook}
    send={() => api.POST('/tenants/current/webhooks/{id}/test', { params: { path: { id: webhook.id } } })}
    sent="Test event sent. The outcome appears under Deliveries."
  />
);

/** Sends the challenge of an endpoint again. */
export const VerifyButton = ({ webhook }: { webhook: Webhook }) => (
  <SendButton
    label="Send challenge again"
    webhook={webhook}
    send={() => api.POST('/tenants/current/webhooks/{id}/verify', { params: { path: { id: webhook.id } } })}
    sent="Challenge sent, at most once a minute. The outcome appears under Deliveries."
  />
);
