import { type Answer } from '@tenantry/client';
import { Alert, Stack } from '@mui/material';
import { Fragment, type ReactNode, useState } from 'react';
import { Form } from '../form/form';
import { AuthLayout } from './auth-layout';
import { AuthLink } from './auth-link';

interface CheckInboxProps {
  readonly text: string;
  readonly resend: () => Promise<Answer<unknown>>;
  /** What can be done instead of opening the link in the email. */
  readonly children?: ReactNode;
}

/** Says that an email was sent, and sends it again. */
export function CheckInbox({ text, resend, children }: CheckInboxProps) {
  const [timesResent, setTimesResent] = useState(0);
  return (
    <AuthLayout title="Check your inbox" text={text}>
      <Stack spacing={2}>
        {timesResent > 0 && <Alert severity="success">Sent. It can take a minute to arrive.</Alert>}
        {/* an error about the email before is gone with the next one */}
        <Fragment key={timesResent}>{children}</Fragment>
        <Form submit="Resend email" isSecondary send={resend} onDone={() => setTimesResent((times) => times + 1)} />
        <AuthLink to="/login">Back to sign in</AuthLink>
      </Stack>
    </AuthLayout>
  );
}
