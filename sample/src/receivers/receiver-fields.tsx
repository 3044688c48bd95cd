import { Field } from '../form/field';
import type { FormProps } from '../form/form';
import type { Receiver } from './receiver-texts';

const NOT_ALLOWED =
  'Nothing can be sent there. Use a public address that begins with https://, at port 443 or from 1024 on.';

/** The fields of errors about receivers. */
export const RECEIVER_ERRORS: FormProps<unknown>['fieldErrors'] = {
  WEBHOOK_URL_NOT_ALLOWED: { field: 'url', message: NOT_ALLOWED },
  CONFLICT: { field: 'url', message: 'An operator of the service stopped what is sent there. Contact the support.' },
};

interface ReceiverFieldsProps {
  /** The receiver to change; absent for a new one. */
  readonly receiver?: Pick<Receiver, 'url' | 'description'>;
  readonly placeholder: string;
  /** What is sent to the address, and how. */
  readonly helperText: string;
}

/** Where a receiver is, and what it is called: `url` and `description`. */
export const ReceiverFields = ({ receiver, placeholder, helperText }: ReceiverFieldsProps) => (
  <>
    <Field
      name="url"
      label="Endpoint URL"
      type="url"
      {...{ placeholder, helperText }}
      emptyMessage="Enter the address of your server."
      defaultValue={receiver?.url ?? ''}
      slotProps={{ htmlInput: { spellCheck: false, autoCapitalize: 'none' } }}
    />
    <Field
      name="description"
      label="Description"
      helperText="For your team. Optional."
      defaultValue={receiver?.description ?? ''}
    />
  </>
);
