import { type Answer } from '@tenantry/client';
import { Alert, Stack } from '@mui/material';
import { useState } from 'react';
import { Form } from '../form/form';
import { AuthLayout } from './auth-layout';
import { AuthLink } from './auth-link';

/** Says that an email was sent, and sends it again. */
export function CheckInbox({ text, resend }: { text: string; resend: () => Promise<Answer<unknown>> }) {
  const [isResent, setResent] = useState(false);
  return (
    <AuthLayout title="Check your inbox" text={text}>
      <Stack spacing={2}>
        {isResent && <Alert severity="success">Sent. It can take a minute to arrive.</Alert>}
        <Form submit="Resend email" send={resend} onDone={() => setResent(true)} />
        <AuthLink to="/login">Back to sign in</AuthLink>
      </Stack>
    </AuthLayout>
  );
}
