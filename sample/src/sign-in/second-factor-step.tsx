import { Checkbox, FormControlLabel, Link, Stack } from '@mui/material';
import { withPasskey } from '@tenantry/client';
import { useState } from 'react';
import { Form, type FormValues } from '../form/form';
import { api } from '../session';
import { AuthLayout } from './auth-layout';
import { AuthLink } from './auth-link';
import { SECOND_FACTORS, usableFactors } from './second-factors';
import type { SignInTicket } from './sign-in-ticket';

interface SecondFactorStepProps {
  readonly ticket: SignInTicket;
  readonly onDone: () => void;
  /** Called when the ticket is not accepted any more. */
  readonly onInvalid: () => void;
}

/** Asks for a passkey, the code of the authenticator app, or a recovery code. */
export function SecondFactorStep({ ticket: { ticket, methods }, onDone, onInvalid }: SecondFactorStepProps) {
  const usable = usableFactors(methods);
  const [method, setMethod] = useState(usable[0]);
  const { title, text, submit, fieldErrors, field } = SECOND_FACTORS[method];
  const send = async ({ code, recoveryCode, trust }: FormValues) => {
    const body = { ticket, code, recoveryCode, trustBrowser: trust === 'on' };
    const answer = await (method === 'passkey'
      ? withPasskey(api, (passkey) => api.POST('/auth/second-factor', { body: { ...body, passkey } }))
      : api.POST('/auth/second-factor', { body }));
    if (!answer.ok && answer.error.code === 'TICKET_INVALID') onInvalid();
    return answer;
  };
  return (
    <AuthLayout title={title} text={text}>
      <Form
        key={method} // a new form: its field takes the focus, and an error of the other is gone
        submit={submit}
        send={send}
        onDone={onDone}
        fieldErrors={fieldErrors}
      >
        {field}
        <FormControlLabel control={<Checkbox name="trust" />} label="Trust this browser for 30 days" />
      </Form>
      <Stack direction="row" sx={{ justifyContent: 'space-between', flexWrap: 'wrap', gap: 1, mt: 2.5 }}>
        {usable
          .filter((other) => other !== method)
          .map((other) => (
            <Link key={other} component="button" variant="body1" onClick={() => setMethod(other)}>
              {SECOND_FACTORS[other].use}
            </Link>
          ))}
        <AuthLink to="/login">Back to sign in</AuthLink>
      </Stack>
    </AuthLayout>
  );
}
