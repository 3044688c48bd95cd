import type { Answer } from '@tenantry/client';
import { Stack } from '@mui/material';
import { useState } from 'react';
import { Form, type FormProps } from '../form/form';
import { RECEIVER_ERRORS, ReceiverFields } from '../receivers/receiver-fields';
import { EventTypePicker } from './event-type-picker';
import type { Webhook } from './webhook-queries';

const NOT_HELD = 'Choose only events that your role may view.';

/** What members choose for an endpoint. */
export interface WebhookChoice {
  readonly url: string;
  readonly description: string;
  readonly types: string[] | null;
}

interface WebhookFormProps<Data> extends Pick<FormProps<Data>, 'submit' | 'onDone' | 'onCancel'> {
  /** The endpoint to change; absent for a new one. */
  readonly webhook?: Webhook;
  readonly send: (choice: WebhookChoice) => Promise<Answer<Data>>;
}

/** The form of an endpoint. */
export function WebhookForm<Data>({ webhook, send, ...form }: WebhookFormProps<Data>) {
  const [types, setTypes] = useState<readonly string[] | null>(webhook?.types ?? null);
  return (
    <Form
      {...form}
      send={({ url = '', description = '' }) => send({ url, description, types: types && [...types] })}
      fieldErrors={{ ...RECEIVER_ERRORS, PERMISSION_NOT_HELD: { field: 'types', message: NOT_HELD } }}
    >
      <Stack spacing={2.5}>
        <ReceiverFields
          receiver={webhook}
          placeholder="https://example.com/hooks"
          helperText="Events are sent there by POST, as JSON with a signature."
        />
        <EventTypePicker chosen={types} choose={setTypes} />
      </Stack>
    </Form>
  );
}
