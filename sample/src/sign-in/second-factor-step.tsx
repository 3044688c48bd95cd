import { Checkbox, FormControlLabel, Link, Stack } from '@mui/material';
import { useState } from 'react';
import { DIGIT_CODE_ERRORS, DigitCodeField, RECOVERY_CODE_ERRORS, RecoveryCodeField } from '../form/code-fields';
import { Form, type FormValues } from '../form/form';
import { api } from '../session';
import { AuthLayout } from './auth-layout';
import { AuthLink } from './auth-link';
import type { SignInTicket } from './sign-in-ticket';

const TEXTS = {
  code: {
    title: 'Enter your code',
    text: 'Open your authenticator app and enter the 6-digit code that it shows for Tenantry.',
    other: 'Use a recovery code',
  },
  recoveryCode: {
    title: 'Enter a recovery code',
    text: 'Enter one of the recovery codes that you saved when you set up your authenticator app. Each works once.',
    other: 'Use your authenticator app',
  },
};

interface SecondFactorStepProps {
  readonly ticket: SignInTicket;
  readonly onDone: () => void;
  /** Called when the ticket is not accepted any more. */
  readonly onInvalid: () => void;
}

/** Asks for the code of the authenticator app, or for a recovery code. */
export function SecondFactorStep({ ticket: { ticket, methods }, onDone, onInvalid }: SecondFactorStepProps) {
  const [field, setField] = useState<'code' | 'recoveryCode'>(methods.includes('totp') ? 'code' : 'recoveryCode');
  const isCode = field === 'code';
  const { title, text, other } = TEXTS[field];
  const send = async ({ code, recoveryCode, trust }: FormValues) => {
    const body = { ticket, code, recoveryCode, trustBrowser: trust === 'on' };
    const answer = await api.POST('/auth/second-factor', { body });
    if (!answer.ok && answer.error.code === 'TICKET_INVALID') onInvalid();
    return answer;
  };
  return (
    <AuthLayout title={title} text={text}>
      <Form
        key={field} // a new form: its field takes the focus, and an error of the other is gone
        submit="Continue"
        send={send}
        onDone={onDone}
        fieldErrors={isCode ? DIGIT_CODE_ERRORS : RECOVERY_CODE_ERRORS}
      >
        {isCode ? <DigitCodeField /> : <RecoveryCodeField />}
        <FormControlLabel control={<Checkbox name="trust" />} label="Trust this browser for 30 days" />
      </Form>
      <Stack direction="row" sx={{ justifyContent: 'space-between', flexWrap: 'wrap', gap: 1, mt: 2.5 }}>
        {methods.length > 1 && (
          <Link component="button" variant="body1" onClick={() => setField(isCode ? 'recoveryCode' : 'code')}>
            {other}
          </Link>
        )}
        <AuthLink to="/login">Back to sign in</AuthLink>
      </Stack>
    </AuthLayout>
  );
}
