import { MenuItem } from '@mui/material';
import { useState } from 'react';
import { Field } from '../form/field';
import { DialogButton } from '../form/form-dialog';
import { useToast } from '../layout/toasts';
import { api } from '../session';
import { OTHER_SPAN, spanOf, SPANS } from './replay-span';
import type { Webhook } from './webhook-queries';

const TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll('_', ' ');
const SHRUNK = { inputLabel: { shrink: true } };

/** Sends the deliveries of a span again. */
export function ReplaySpanButton({ webhook: { id, disabledAt } }: { webhook: Webhook }) {
  const showToast = useToast();
  const [span, setSpan] = useState('24');
  return (
    <DialogButton
      button="Send again"
      disabledReason={disabledAt ? 'Enable the webhook first.' : undefined}
      title="Send deliveries again"
      text="Each has the same webhook-id as before, so that your server can recognize what it already has."
      submit="Send again"
      send={(values) =>
        api.POST('/tenants/current/webhooks/{id}/replay', { params: { path: { id } }, body: spanOf(values) })
      }
      fieldErrors={{
        CONFLICT: { field: 'span', message: 'The deliveries of an earlier request are still being sent. Try later.' },
      }}
      onDone={() => showToast('The deliveries are being sent again.')}
    >
      <Field select name="which" label="Which" defaultValue="failed">
        <MenuItem value="failed">Failed ones</MenuItem>
        <MenuItem value="all">All, also delivered ones</MenuItem>
      </Field>
      <Field select name="span" label="Created in" value={span} onChange={({ target }) => setSpan(target.value)}>
        {SPANS.map(([hours, name]) => (
          <MenuItem key={hours} value={String(hours)}>
            {name}
          </MenuItem>
        ))}
        <MenuItem value={OTHER_SPAN}>Another span</MenuItem>
      </Field>
      {span === OTHER_SPAN && (
        <>
          <Field
            name="from"
            label="From"
            type="datetime-local"
            emptyMessage="Choose a date and a time."
            slotProps={SHRUNK}
          />
          <Field
            name="to"
            label="To"
            type="datetime-local"
            helperText={`At most 30 days. Time zone: ${TIME_ZONE}`}
            emptyMessage="Choose a date and a time."
            slotProps={SHRUNK}
          />
        </>
      )}
    </DialogButton>
  );
}
