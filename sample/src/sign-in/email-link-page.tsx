import { Stack } from '@mui/material';
import { useState } from 'react';
import { EmailField } from '../form/field';
import { Form } from '../form/form';
import { api } from '../session';
import { AuthLayout } from './auth-layout';
import { AuthLink, useTypedEmail } from './auth-link';
import { CheckInbox } from './check-inbox';

type EmailLinkPath = '/auth/password/forgot' | '/auth/magic-link/request' | '/auth/resend-verification';

interface EmailLinkPageProps {
  readonly title: string;
  readonly text: string;
  readonly path: EmailLinkPath;
  /** What was sent, after "If … has an account,". */
  readonly sent: string;
}

/**
 * Asks for an email address and sends a link to it. The API does not say whether the address has an
 * account, so neither does the page.
 */
export function EmailLinkPage({ title, text, path, sent }: EmailLinkPageProps) {
  const [email, setEmail] = useState<string>();
  const typedEmail = useTypedEmail();
  const send = (to: string) => api.POST(path, { body: { email: to } });
  if (email) return <CheckInbox text={`If ${email} has an account, ${sent}`} resend={() => send(email)} />;
  return (
    <AuthLayout title={title} text={text}>
      <Stack spacing={2}>
        <Form
          submit="Send link"
          send={(values) => send(values.email ?? '')}
          onDone={(_nothing, values) => setEmail(values.email)}
        >
          <EmailField defaultValue={typedEmail} autoFocus />
        </Form>
        <AuthLink to="/login">Back to sign in</AuthLink>
      </Stack>
    </AuthLayout>
  );
}
