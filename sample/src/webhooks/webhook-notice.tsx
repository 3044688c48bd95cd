import { Alert } from '@mui/material';
import { dateTime } from '../date-format';
import { disabledText } from '../receivers/receiver-texts';
import type { Webhook } from './webhook-queries';
import { WEBHOOKS } from './webhook-texts';

/** What is wrong with an endpoint, and what happens next. Nothing if all is well. */
export function WebhookNotice({ webhook }: { webhook: Webhook }) {
  const disabled = disabledText(webhook, WEBHOOKS);
  if (disabled) {
    return (
      <Alert severity={webhook.disabledWhy === 'user' ? 'info' : 'warning'}>
        {disabled} It gets no events. Those that it misses are kept for 30 days and can be sent again once it is
        enabled.
      </Alert>
    );
  }
  if (!webhook.failingSince) return null;
  return (
    <Alert severity="warning">
      Every attempt has failed since {dateTime(webhook.failingSince)}. After five days of failures only, the webhook is
      disabled.
    </Alert>
  );
}
