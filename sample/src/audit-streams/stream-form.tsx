import type { Answer } from '@tenantry/client';
import { Stack } from '@mui/material';
import { upgradeAction } from '../billing/upgrade-prompt';
import { Form, type FormProps, type FormValues } from '../form/form';
import { RECEIVER_ERRORS, ReceiverFields } from '../receivers/receiver-fields';
import { AuthorizationFields, StartFields } from './stream-fields';
import type { AuditStream } from './stream-queries';
import { authorizationOf } from './stream-terms';

/** What members choose for a stream, whenever they want. */
interface StreamChoice {
  readonly url: string;
  readonly description: string;
  readonly authorization: string | null | undefined;
}

interface StreamFormProps<Data> extends Pick<FormProps<Data>, 'submit' | 'onDone' | 'onCancel'> {
  /** The stream to change; absent for a new one, which can begin in the past. */
  readonly stream?: AuditStream;
  readonly send: (choice: StreamChoice, values: FormValues) => Promise<Answer<Data>>;
}

/** The form of an audit stream. */
export function StreamForm<Data>({ stream, send, ...form }: StreamFormProps<Data>) {
  const submit = (values: FormValues) => {
    const { url = '', description = '' } = values;
    return send({ url, description, authorization: authorizationOf(values) }, values);
  };
  return (
    <Form {...form} send={submit} fieldErrors={RECEIVER_ERRORS} errorAction={upgradeAction}>
      <Stack spacing={2.5}>
        <ReceiverFields
          receiver={stream}
          placeholder="https://example.com/audit"
          helperText="Entries are sent there by POST, as JSON with a signature."
        />
        <AuthorizationFields stream={stream} />
        {!stream && <StartFields />}
      </Stack>
    </Form>
  );
}
