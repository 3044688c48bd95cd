import { Alert, Button, DialogContentText } from '@mui/material';
import { useMutation } from '@tanstack/react-query';
import { unwrap } from '@tenantry/client';
import { useState } from 'react';
import { DIGIT_CODE_ERRORS, DigitCodeField } from '../form/code-fields';
import { Form } from '../form/form';
import { api, useClaims } from '../session';
import type { StepUpFormProps } from './step-up-dialog';

/** Confirms the identity with an emailed code, for accounts with neither password nor factor. */
export function EmailCodeForm(form: StepUpFormProps) {
  const email = useClaims()?.email;
  const [isSent, setSent] = useState(false);
  const send = () => api.POST('/auth/step-up/email');
  const resending = useMutation({ mutationFn: async () => unwrap(await send()) });
  if (!isSent) {
    return (
      <Form {...form} submit="Send code" send={send} onDone={() => setSent(true)}>
        <DialogContentText>We’ll email a 6-digit code to {email}.</DialogContentText>
      </Form>
    );
  }
  return (
    <Form
      key="code"
      {...form}
      submit="Confirm"
      send={({ emailCode = '' }) => api.POST('/auth/step-up', { body: { emailCode } })}
      fieldErrors={DIGIT_CODE_ERRORS}
    >
      <DialogContentText>We sent a code to {email}. It’s valid for 10 minutes.</DialogContentText>
      {resending.isSuccess && <Alert severity="success">Sent. It can take a minute to arrive.</Alert>}
      <DigitCodeField name="emailCode" />
      <Button
        size="small"
        sx={{ alignSelf: 'flex-start', mx: -0.5 }}
        loading={resending.isPending}
        onClick={() => resending.mutate()}
      >
        Send a new code
      </Button>
    </Form>
  );
}
