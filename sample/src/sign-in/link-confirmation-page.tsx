import { Stack } from '@mui/material';
import type { ErrorCode } from '@tenantry/client';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { NewPasswordField } from '../form/field';
import { Form, type FormValues } from '../form/form';
import { api, useClaims } from '../session';
import { AuthLayout } from './auth-layout';
import { AuthLink } from './auth-link';
import { ReopenLink } from './reopen-link';
import { SignInErrorPage } from './sign-in-error-page';
import { useSecondFactorStep } from './sign-in-ticket';

interface LinkConfirmationProps {
  readonly token: string | undefined;
  readonly title: string;
  readonly submit: string;
  readonly path: '/auth/verify-email' | '/auth/magic-link/verify';
}

const CHOOSE_PASSWORD =
  'Enter a password for your account: the one you chose when you registered, or a new one, which replaces it.';

/**
 * The page of an emailed link that signs in. The link takes effect when the button is pressed, and
 * a signed-in user is asked before another account takes over. A browser that did not create the
 * account must send a password: the field is shown once the API asks for it.
 */
function LinkConfirmationPage({ token, title, submit, path }: LinkConfirmationProps) {
  const claims = useClaims();
  const navigate = useNavigate();
  const openSecondStep = useSecondFactorStep();
  const [asksPassword, setAsksPassword] = useState(false);
  const [linkError, setLinkError] = useState<ErrorCode>();
  if (!token) return <ReopenLink />;
  if (linkError) return <SignInErrorPage code={linkError} />;
  const otherAccount = claims
    ? `You’re signed in as ${claims.email}. If you continue, you’ll be signed in to the account this email was sent to.`
    : undefined;
  const send = async ({ password }: FormValues) => {
    const answer = await api.POST(path, { body: { token, password } });
    if (answer.ok) return answer;
    const { code, details } = answer.error;
    if (details?.password) setAsksPassword(true);
    if (/^(VERIFICATION_TOKEN|MAGIC_LINK)_/.test(code)) setLinkError(code as ErrorCode);
    return answer;
  };
  return (
    <AuthLayout title={title} text={asksPassword ? CHOOSE_PASSWORD : otherAccount}>
      <Stack spacing={2}>
        <Form
          key={String(asksPassword)} // a new form: the password was not refused, it is asked for now
          submit={submit}
          send={send}
          onDone={(signIn) => {
            if ('secondFactor' in signIn) openSecondStep(signIn, '/');
            else void navigate('/');
          }}
        >
          {asksPassword && <NewPasswordField autoFocus />}
        </Form>
        {claims && <AuthLink to="/">Stay signed in as {claims.email}</AuthLink>}
      </Stack>
    </AuthLayout>
  );
}

type Link = Pick<LinkConfirmationProps, 'token'>;

export const ConfirmEmailPage = ({ token }: Link) => (
  <LinkConfirmationPage
    token={token}
    title="Verify your email address"
    submit="Verify and sign in"
    path="/auth/verify-email"
  />
);

export const ConfirmSignInPage = ({ token }: Link) => (
  <LinkConfirmationPage token={token} title="Sign in to Tenantry" submit="Sign in" path="/auth/magic-link/verify" />
);
