import { DialogContentText } from '@mui/material';
import { useState } from 'react';
import { DIGIT_CODE_ERRORS, DigitCodeField } from '../form/code-fields';
import { Form } from '../form/form';
import { ResendCode } from '../form/resend-code';
import { api, useClaims } from '../session';
import type { StepUpFormProps } from './step-up-dialog';

/** Confirms the identity with an emailed code, for accounts with neither password nor factor. */
export function EmailCodeForm({ otherWay, ...form }: StepUpFormProps) {
  const email = useClaims()?.email;
  const [isSent, setSent] = useState(false);
  const send = () => api.POST('/auth/step-up/email');
  if (!isSent) {
    return (
      <Form {...form} submit="Send code" send={send} onDone={() => setSent(true)}>
        <DialogContentText>We’ll email a 6-digit code to {email}.</DialogContentText>
        {otherWay}
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
      <DigitCodeField name="emailCode" />
      <ResendCode send={send} />
      {otherWay}
    </Form>
  );
}
