import { type Answer, type ErrorCode, type Failure, unwrap } from '@tenantry/client';
import { Button, Stack } from '@mui/material';
import { useMutation } from '@tanstack/react-query';
import { createContext, type ReactNode, type SubmitEvent, useEffect, useRef } from 'react';
import { messageForCode } from '../messages';
import { ErrorAlert } from './error-alert';

/** What was typed, by field name. */
export type FormValues = Readonly<Record<string, string>>;

/** Field name to what is wrong with it. */
export const FieldErrors = createContext<Readonly<Record<string, readonly string[]>>>({});

export interface FormProps<Data> {
  /** The caption of the button. */
  readonly submit: string;
  readonly send: (typed: FormValues) => Promise<Answer<Data>>;
  readonly onDone?: (data: Data, typed: FormValues) => void;
  /** The fields that refusals other than VALIDATION_ERROR belong to. */
  readonly at?: Partial<Record<ErrorCode, string>>;
  /** What to do about a refusal, shown with its sentence. */
  readonly errorAction?: (code: Failure['code'], typed: FormValues) => ReactNode;
  readonly onCancel?: () => void;
  readonly isDanger?: boolean;
  readonly children?: ReactNode;
}

/**
 * A form that shows what the service says: at the fields where it is about a field, else as a
 * sentence above the button. The service alone knows the rules.
 */
export function Form<Data>({ submit, send, onDone, at, errorAction, onCancel, isDanger, children }: FormProps<Data>) {
  const form = useRef<HTMLFormElement>(null);
  const sending = useMutation({
    meta: { isShown: true },
    mutationFn: async (typed: FormValues) => unwrap(await send(typed)),
    onSuccess: (data, typed) => onDone?.(data, typed),
  });
  const failure = sending.error?.failure;
  const place = failure && at?.[failure.code as ErrorCode];
  const faults = place ? { [place]: [messageForCode(failure.code)] } : (failure?.details ?? {});

  // To the first field that is wrong, as one who cannot see the page would look for it.
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(), [failure]);

  const submitted = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    sending.mutate(Object.fromEntries(new FormData(event.currentTarget)) as FormValues);
  };
  return (
    <Stack
      component="form"
      ref={form}
      noValidate
      onSubmit={submitted}
      spacing={2}
      sx={{ maxWidth: onCancel ? undefined : 420 }}
    >
      <FieldErrors value={faults}>{children}</FieldErrors>
      {failure && !place && (
        <ErrorAlert failure={failure} fields={Object.keys(sending.variables ?? {})}>
          {errorAction?.(failure.code, sending.variables ?? {})}
        </ErrorAlert>
      )}
      <Stack direction="row" spacing={1} sx={{ justifyContent: 'flex-end' }}>
        {onCancel && (
          <Button onClick={onCancel} color="inherit">
            Cancel
          </Button>
        )}
        <Button
          type="submit"
          variant="contained"
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
