import type { Answer } from '@tenantry/client';
import { Stack } from '@mui/material';
import { useState } from 'react';
import { Field } from '../form/field';
import { Form } from '../form/form';
import { EventTypePicker } from './event-type-picker';
import type { Webhook } from './webhook-queries';

const NOT_ALLOWED =
  'Webhooks can’t be sent there. Use a public address that begins with https://, at port 443 or from 1024 on.';

/** What members choose for an endpoint. */
export interface WebhookChoice {
  readonly url: string;
  readonly description: string;
  readonly types: string[] | null;
}

interface WebhookFormProps<Data> {
  /** The endpoint to change; absent for a new one. */
  readonly webhook?: Webhook;
  readonly submit: string;
  readonly send: (choice: WebhookChoice) => Promise<Answer<Data>>;
  readonly onDone: (data: Data) => void;
  readonly onCancel: () => void;
}

/** The form of an endpoint. */
export function WebhookForm<Data>({ webhook, send, ...form }: WebhookFormProps<Data>) {
  const [types, setTypes] = useState<readonly string[] | null>(webhook?.types ?? null);
  return (
    <Form
      {...form}
      send={({ url = '', description = '' }) => send({ url, description, types: types && [...types] })}
      fieldErrors={{ WEBHOOK_URL_NOT_ALLOWED: { field: 'url', message: NOT_ALLOWED } }}
    >
      <Stack spacing={2.5} sx={{ maxWidth: 560 }}>
        <Field
          name="url"
          label="Endpoint URL"
          type="url"
          placeholder="https://example.com/hooks"
          helperText="Events are sent there by POST, as JSON with a signature."
          emptyMessage="Enter the address of your server."
          defaultValue={webhook?.url ?? ''}
          slotProps={{ htmlInput: { spellCheck: false, autoCapitalize: 'none' } }}
        />

        <Field
          name="description"
          label="Description"
          helperText="For your team. Optional."
          defaultValue={webhook?.description ?? ''}
        />
        <EventTypePicker chosen={types} choose={setTypes} />
      </Stack>
    </Form>
  );
}
