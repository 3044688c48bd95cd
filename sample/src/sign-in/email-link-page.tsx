import { Stack } from '@mui/material';
import { useState } from 'react';
import { EmailField } from '../form/field';
import { Form } from '../form/form';
import { api } from '../session';
import { AuthLayout } from './auth-layout';
import { CheckInbox } from './check-inbox';
import { AuthLink } from './auth-link';

type EmailLinkPath = '/auth/password/forgot' | '/auth/magic-link/request' | '/auth/resend-verification';

/**
 * An address, and a mail to it. The service does not tell whether it has an account: neither do we.
 */
function EmailLinkPage({
  title,
  text,
  path,
  sent,
}: {
  title: string;
  text: string;
  path: EmailLinkPath;
  sent: string;
}) {
  const [email, setEmail] = useState<string>();
  const send = (to: string) => api.POST(path, { body: { email: to } });
  if (email) return <CheckInbox text={`If ${email} has an account, ${sent}`} again={() => send(email)} />;
  return (
    <AuthLayout title={title} text={text}>
      <Stack spacing={2}>
        <Form
          submit="Send the mail"
          send={(typed) => send(typed.email ?? '')}
          onDone={(_nothing, typed) => setEmail(typed.email)}
        >
          <EmailField />
        </Form>
        <AuthLink to="/login">Back to log in</AuthLink>
      </Stack>
    </AuthLayout>
  );
}

export const ForgotPasswordPage = () => (
  <EmailLinkPage
    title="Forgot your password?"
    text="Tell us your address, and we mail you a link to choose a new one."
    path="/auth/password/forgot"
    sent="a link to choose a new password is on its way. It works once, for an hour."
  />
);

export const MagicLinkPage = () => (
  <EmailLinkPage
    title="Log in by mail"
    text="No password needed: we mail you a link that logs you in."
    path="/auth/magic-link/request"
    sent="a link that logs you in is on its way. It works once, for 10 minutes."
  />
);

export const ResendVerificationPage = () => (
  <EmailLinkPage
    title="Confirm your address"
    text="We mail you a new link to confirm your address."
    path="/auth/resend-verification"
    sent="and it is not confirmed yet, a new link is on its way."
  />
);
