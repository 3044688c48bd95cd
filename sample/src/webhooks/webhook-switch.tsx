import { DialogButton } from '../form/form-dialog';
import { useToast } from '../layout/toasts';
import { operatorBlock } from '../receivers/receiver-texts';
import { api, useImpersonationBlock } from '../session';
import type { Webhook } from './webhook-queries';

/** Enables an endpoint, or disables it. */
export function WebhookSwitch({ webhook }: { webhook: Webhook }) {
  const { id, disabledAt } = webhook;
  const showToast = useToast();
  const blocked = useImpersonationBlock() ?? operatorBlock(webhook);
  const enabled = disabledAt !== null;
  const dialog = {
    disabledReason: blocked,
    send: () => api.PATCH('/tenants/current/webhooks/{id}', { params: { path: { id } }, body: { enabled } }),
  };
  if (enabled) {
    return (
      <DialogButton
        {...dialog}
        button="Enable"
        title="Enable this webhook?"
        text="It gets the events that happen from now on. To send those that it missed, use “Send again” below."
        submit="Enable"
        onDone={() => showToast('Webhook enabled.')}
      />
    );
  }
  return (
    <DialogButton
      {...dialog}
      button="Disable"
      title="Disable this webhook?"
      text="It gets no events until you enable it. Those that it misses are kept for 30 days and can be sent again."
      submit="Disable"
      onDone={() => showToast('Webhook disabled.')}
    />
  );
}
