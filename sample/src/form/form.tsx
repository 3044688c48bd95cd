import { type Answer, type ErrorCode, type Failure, unwrap } from '@tenantry/client';
import { Button, Stack } from '@mui/material';
import { useMutation } from '@tanstack/react-query';
import { createContext, type ReactNode, type SubmitEvent, useEffect, useRef } from 'react';
import { messageForCode } from '../messages';
import { ErrorAlert } from './error-alert';
import { fieldMessage } from './field-messages';

/** The submitted values by field name. */
export type FormValues = Readonly<Record<string, string>>;

interface FieldError {
  readonly message: string;
  /** Whether the field was submitted empty. */
  readonly isEmpty: boolean;
}

/** What is wrong with the fields, by field name. */
export const FieldErrors = createContext<Readonly<Partial<Record<string, FieldError>>>>({});

/** The field that an error code belongs to, and its message where the general one does not fit. */
export type FieldOfError = string | { readonly field: string; readonly message: string };

export interface FormProps<Data> {
  /** The label of the submit button. */
  readonly submit: string;
  readonly send: (values: FormValues) => Promise<Answer<Data>>;
  readonly onDone?: (data: Data, values: FormValues) => void;
  /** The fields of errors other than VALIDATION_ERROR. */
  readonly fieldErrors?: Partial<Record<ErrorCode, FieldOfError>>;
  /** What to do about an error, shown below its message. */
  readonly errorAction?: (failure: Failure, values: FormValues) => ReactNode;
  readonly onCancel?: () => void;
  /** The label of the button that does nothing, where "Cancel" could be misread. */
  readonly cancelLabel?: string;
  readonly isDanger?: boolean;
  /** Whether something else on the page is more important. */
  readonly isSecondary?: boolean;
  /** Whether the form is sent when it appears, because the user has already asked for it. */
  readonly isSentAtOnce?: boolean;
  readonly children?: ReactNode;
}

/**
 * A form that shows the errors of the API: at the fields they belong to, else above the buttons.
 * The API alone knows the rules.
 */
export function Form<Data>({
  submit,
  send,
  onDone,
  fieldErrors,
  errorAction,
  onCancel,
  cancelLabel = 'Cancel',
  isDanger,
  isSecondary,
  isSentAtOnce,
  children,
}: FormProps<Data>) {
  const form = useRef<HTMLFormElement>(null);
  const sending = useMutation({
    meta: { isShown: true },
    mutationFn: async (values: FormValues) => unwrap(await send(values)),
    onSuccess: (data, values) => onDone?.(data, values),
  });
  const failure = sending.error?.failure;
  const values = sending.variables ?? {};
  const errors = failure ? errorsByField(failure, fieldErrors?.[failure.code as ErrorCode], values) : {};
  const isShownAtFields = Object.keys(errors).length > 0 && Object.keys(errors).every((name) => name in values);

  // The button was disabled while sending and has lost the focus.
  useEffect(() => {
    if (failure) focusAfterError(form.current);
  }, [failure]);

  useEffect(() => {
    if (isSentAtOnce) form.current?.requestSubmit();
  }, [isSentAtOnce]);

  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    sending.mutate(Object.fromEntries(new FormData(event.currentTarget)) as FormValues);
  };
  return (
    <Stack
      component="form"
      ref={form}
      noValidate
      onSubmit={onSubmit}
      spacing={2}
      sx={{ maxWidth: onCancel ? 560 : 420 }}
    >
      <FieldErrors value={errors}>{children}</FieldErrors>
      {failure && !isShownAtFields && (
        <ErrorAlert failure={failure} fields={Object.keys(values)}>
          {errorAction?.(failure, values)}
        </ErrorAlert>
      )}
      <Stack direction="row" spacing={1} sx={{ justifyContent: 'flex-end' }}>
        {onCancel && (
          <Button onClick={onCancel} color="inherit">
            {cancelLabel}
          </Button>
        )}
        <Button
          type="submit"
          variant={isSecondary ? 'outlined' : 'contained'}
          color={isDanger ? 'error' : 'primary'}
          loading={sending.isPending}
          fullWidth={!onCancel}
        >
          {submit}
        </Button>
      </Stack>
    </Stack>
  );
}

function errorsByField(
  { code, details }: Failure,
  fieldOfError: FieldOfError | undefined,
  values: FormValues,
): Record<string, FieldError> {
  if (fieldOfError) {
    const { field, message } =
      typeof fieldOfError === 'string' ? { field: fieldOfError, message: messageForCode(code) } : fieldOfError;
    return { [field]: { message, isEmpty: values[field] === '' } };
  }
  if (code !== 'VALIDATION_ERROR') return {};
  return Object.fromEntries(
    Object.entries(details ?? {}).map(([path, texts]) => {
      const [field] = path.split('.');
      return [field, { message: texts.map(fieldMessage).join(' '), isEmpty: values[field] === '' }];
    }),
  );
}

/** Focuses the first field with an error, else the submit button. */
function focusAfterError(form: HTMLFormElement | null): void {
  const invalid = form?.querySelector<HTMLElement>('[aria-invalid=true]');
  (invalid ?? form?.querySelector<HTMLElement>('[type=submit]'))?.focus();
  if (invalid instanceof HTMLInputElement) invalid.select();
}
