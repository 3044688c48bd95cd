import { type Answer } from '@tenantry/client';
import { Alert, Stack } from '@mui/material';
import { useState } from 'react';
import { Form } from '../form/form';
import { AuthLayout } from './auth-layout';
import { AuthLink } from './auth-link';

/** A mail is on its way, and can be sent once more. */
export function CheckInbox({ text, again }: { text: string; again: () => Promise<Answer<unknown>> }) {
  const [isAgain, setAgain] = useState(false);
  return (
    <AuthLayout title="Check your mail" text={text}>
      <Stack spacing={2}>
        {isAgain && <Alert severity="success">We sent it again. It can take a minute to arrive.</Alert>}
        <Form submit="Send it again" send={again} onDone={() => setAgain(true)} />
        <AuthLink to="/login">Back to log in</AuthLink>
      </Stack>
    </AuthLayout>
  );
}
