import { Button, Stack } from '@mui/material';
import { useState } from 'react';
import { Link } from 'react-router';
import { Form } from '../form/form';
import { api } from '../session';
import { AuthLayout } from './auth-layout';
import { LinkUsed } from './link-used';

/**
 * A confirmed account is not deleted with this link. Who reads the mailbox takes it over with a new
 * password instead.
 */
const TooLate = () => (
  <AuthLayout
    title="This cannot be deleted any more"
    text="The account was deleted already, or its address was confirmed by now. If that was not you, set a new password: we mail you a link. All devices are then signed out, and the account is yours alone."
  >
    <Stack spacing={1}>
      <Button component={Link} to="/forgot-password" fullWidth variant="contained">
        Set a new password
      </Button>
      <Button component={Link} to="/" fullWidth variant="outlined">
        Go to log in
      </Button>
    </Stack>
  </AuthLayout>
);

/**
 * Where "This was not me" of a verification mail leads to: the account that somebody else made with
 * one's address is deleted.
 */
export default function NotMePage({ token }: { token: string | undefined }) {
  const [isDone, setDone] = useState(false);
  const [isLate, setLate] = useState(false);
  if (!token) return <LinkUsed />;
  if (isDone) {
    return (
      <AuthLayout
        title="The registration is deleted"
        text="Its password and its links are worth nothing now. If your address was registered more than once, each mail about it has a link of its own."
      >
        <Button component={Link} to="/" fullWidth variant="contained">
          Go to log in
        </Button>
      </AuthLayout>
    );
  }
  if (isLate) return <TooLate />;
  const disown = async () => {
    const answer = await api.POST('/auth/not-me', { body: { token } });
    if (!answer.ok && answer.error.code.startsWith('VERIFICATION_TOKEN')) setLate(true);
    return answer;
  };
  return (
    <AuthLayout
      title="This was not you?"
      text="Somebody has created an account with your address. You can delete what was registered here. Your mailbox is not affected."
    >
      <Form submit="Delete the registration" isDanger send={disown} onDone={() => setDone(true)} />
    </AuthLayout>
  );
}
