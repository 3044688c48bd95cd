import { Stack } from '@mui/material';
import { useNavigate } from 'react-router';
import { Form } from '../form/form';
import { api, useClaims } from '../session';
import { Door } from './door';
import { LinkUsedUp } from './usedup';
import { Way } from './way';

interface Link {
  readonly token: string | undefined;
}

/** Where a mailed link leads that signs in: nothing happens before the button. Whoever is signed in is asked before another account takes their place. */
function Confirm({ token, title, submit, path, again }: Link & Record<'title' | 'submit' | 'again', string> & { path: Path }) {
  const claims = useClaims();
  const navigate = useNavigate();
  if (!token) return <LinkUsedUp />;
  const text = claims ? `You are signed in as ${claims.email}. Going on signs you in with the account that the mail was sent to.` : undefined;
  return (
    <Door title={title} text={text}>
      <Stack spacing={2}>
        <Form
          submit={submit}
          send={() => api.POST(path, { body: { token } })}
          onDone={() => void navigate('/')}
          wayOn={() => <Way to={again}>Send a new link</Way>}
        />
        {claims && <Way to="/">Stay signed in as {claims.email}</Way>}
      </Stack>
    </Door>
  );
}

type Path = '/auth/verify-email' | '/auth/magic-link/verify';

export const ConfirmEmail = ({ token }: Link) => (
  <Confirm token={token} title="Confirm your address" submit="Confirm and log in" path="/auth/verify-email" again="/verification" />
);

export const ConfirmSignIn = ({ token }: Link) => (
  <Confirm token={token} title="Log in by mail" submit="Log in" path="/auth/magic-link/verify" again="/magic-link" />
);
