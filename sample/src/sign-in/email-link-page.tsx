import { Stack } from '@mui/material';
import type { ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router';
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
  /** What can be done instead of opening the link. */
  readonly children?: (email: string) => ReactNode;
}

/** The state of the page in the history of the tab, which a reload keeps. */
interface Sent {
  readonly sentTo: string;
}

/**
 * Asks for an email address and sends a link to it. The API does not say whether the address has an
 * account, so neither does the page.
 */
export function EmailLinkPage({ title, text, path, sent, children }: EmailLinkPageProps) {
  const location = useLocation();
  const navigate = useNavigate();
  const typedEmail = useTypedEmail();
  const email = (location.state as Partial<Sent> | null)?.sentTo;
  const send = (to: string) => api.POST(path, { body: { email: to } });
  if (email) {
    return (
      <CheckInbox text={`If ${email} has an account, ${sent}`} resend={() => send(email)}>
        {children?.(email)}
      </CheckInbox>
    );
  }
  return (
    <AuthLayout title={title} text={text}>
      <Stack spacing={2}>
        <Form
          submit="Send link"
          send={({ email: to = '' }) => send(to)}
          onDone={(_nothing, { email: sentTo = '' }) => {
            void navigate({ search: location.search }, { state: { sentTo } satisfies Sent });
          }}
        >
          <EmailField defaultValue={typedEmail} autoFocus />
        </Form>
        <AuthLink to="/login">Back to sign in</AuthLink>
      </Stack>
    </AuthLayout>
  );
}
