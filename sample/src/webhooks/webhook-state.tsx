import { Alert, Chip } from '@mui/material';
import { dateTime } from '../date-format';
import type { Webhook } from './webhook-queries';
import { disabledText } from './webhook-texts';

/** Whether an endpoint gets events, in a word. */
export function WebhookStateChip({ webhook: { disabledAt, failingSince } }: { webhook: Webhook }) {
  if (disabledAt) return <Chip size="small" variant="outlined" label="Disabled" />;
  if (failingSince) return <Chip size="small" variant="outlined" color="error" label="Failing" />;
  return <Chip size="small" variant="outlined" color="success" label="Enabled" />;
}

/** What is wrong with an endpoint, and what happens next. Nothing if all is well. */
export function WebhookNotice({ webhook }: { webhook: Webhook }) {
  const disabled = disabledText(webhook);
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
