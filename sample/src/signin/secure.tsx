import { Button } from '@mui/material';
import { useState } from 'react';
import { Link } from 'react-router';
import { Form } from '../form/form';
import { api } from '../session';
import { Door } from './door';
import { LinkUsedUp } from './usedup';

const NewPassword = () => (
  <Button component={Link} to="/forgot-password" fullWidth variant="contained">
    Set a new password
  </Button>
);

/**
 * Where "This was not me" of a mail about the security of an account leads to: every way in but the
 * mailbox is taken away.
 */
export default function SecureAccount({ token }: { token: string | undefined }) {
  const [isDone, setDone] = useState(false);
  const [isLate, setLate] = useState(false);
  if (!token) return <LinkUsedUp />;
  if (isDone) {
    return (
      <Door
        title="Your account is secured"
        text="All devices are signed out. Set a new password to sign in again: we mail you a link."
      >
        <NewPassword />
      </Door>
    );
  }
  if (isLate) {
    return (
      <Door
        title="This link does not work any more"
        text="It was used already, or it has expired. If something is wrong with your account, set a new password: we mail you a link, and all devices are then signed out."
      >
        <NewPassword />
      </Door>
    );
  }
  const secure = async () => {
    const answer = await api.POST('/auth/secure-account', { body: { token } });
    if (!answer.ok && answer.error.code.startsWith('RESET_TOKEN')) setLate(true);
    return answer;
  };
  return (
    <Door
      title="This was not you?"
      text="Secure your account: all devices are signed out, your password is removed, and linked sign-in providers are unlinked. You then set a new password."
    >
      <Form submit="Secure my account" isDanger send={secure} onDone={() => setDone(true)} />
    </Door>
  );
}
