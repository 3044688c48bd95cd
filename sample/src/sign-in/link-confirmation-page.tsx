import { Stack } from '@mui/material';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { NewPasswordField } from '../form/field';
import { Form, type FormValues } from '../form/form';
import { api, useClaims } from '../session';
import { AuthLayout } from './auth-layout';
import { LinkUsed } from './link-used';
import { AuthLink } from './auth-link';

interface Link {
  readonly token: string | undefined;
}

/**
 * Where a mailed link leads that signs in: nothing happens before the button. Whoever is signed in
 * is asked before another account takes their place. A browser in which the account was not made is
 * asked for a password, once the service says so.
 */
function Confirm({
  token,
  title,
  submit,
  path,
  again,
}: Link & Record<'title' | 'submit' | 'again', string> & { path: Path }) {
  const claims = useClaims();
  const navigate = useNavigate();
  const [asksPassword, setAsksPassword] = useState(false);
  if (!token) return <LinkUsed />;
  const confirmLink = claims
    ? `You are signed in as ${claims.email}. Going on signs you in with the account that the mail was sent to.`
    : undefined;
  const send = async ({ password }: FormValues) => {
    const answer = await api.POST(path, { body: { token, password } });
    if (!answer.ok && answer.error.details?.password) setAsksPassword(true);
    return answer;
  };
  return (
    <AuthLayout title={title} text={asksPassword ? CHOOSE_PASSWORD : confirmLink}>
      <Stack spacing={2}>
        <Form
          key={String(asksPassword)} // what was not asked for before is not refused, but asked for
          submit={submit}
          send={send}
          onDone={() => void navigate('/')}
          errorAction={(code) => code !== 'VALIDATION_ERROR' && <AuthLink to={again}>Send a new link</AuthLink>}
        >
          {asksPassword && <NewPasswordField autoFocus />}
        </Form>
        {claims && <AuthLink to="/">Stay signed in as {claims.email}</AuthLink>}
      </Stack>
    </AuthLayout>
  );
}

const CHOOSE_PASSWORD =
  'Enter a password for your account: the one that you chose when you registered, or a new one. It replaces any other.';

type Path = '/auth/verify-email' | '/auth/magic-link/verify';

export const ConfirmEmailPage = ({ token }: Link) => (
  <Confirm
    token={token}
    title="Confirm your address"
    submit="Confirm and log in"
    path="/auth/verify-email"
    again="/verification"
  />
);

export const ConfirmSignInPage = ({ token }: Link) => (
  <Confirm token={token} title="Log in by mail" submit="Log in" path="/auth/magic-link/verify" again="/magic-link" />
);
