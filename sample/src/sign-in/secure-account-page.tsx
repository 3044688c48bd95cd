import { Button } from '@mui/material';
import { useState } from 'react';
import { Link } from 'react-router';
import { Form } from '../form/form';
import { api } from '../session';
import { AuthLayout } from './auth-layout';
import { LinkUsed } from './link-used';

const NewPassword = () => (
  <Button component={Link} to="/forgot-password" fullWidth variant="contained">
    Set a new password
  </Button>
);

/**
 * Where "This was not me" of a mail about the security of an account leads to: every way in but the
 * mailbox is taken away.
 */
export default function SecureAccountPage({ token }: { token: string | undefined }) {
  const [isDone, setDone] = useState(false);
  const [isLate, setLate] = useState(false);
  if (!token) return <LinkUsed />;
  if (isDone) {
    return (
      <AuthLayout
        title="Your account is secured"
        text="All devices are signed out. Set a new password to sign in again: we mail you a link."
      >
        <NewPassword />
      </AuthLayout>
    );
  }
  if (isLate) {
    return (
      <AuthLayout
        title="This link does not work any more"
        text="It was used already, or it has expired. If something is wrong with your account, set a new password: we mail you a link, and all devices are then signed out."
      >
        <NewPassword />
      </AuthLayout>
    );
  }
  const secure = async () => {
    const answer = await api.POST('/auth/secure-account', { body: { token } });
    if (!answer.ok && answer.error.code.startsWith('RESET_TOKEN')) setLate(true);
    return answer;
  };
  return (
    <AuthLayout
      title="This was not you?"
      text="Secure your account: all devices are signed out, your password is removed, and linked sign-in providers are unlinked. You then set a new password."
    >
      <Form submit="Secure my account" isDanger send={secure} onDone={() => setDone(true)} />
    </AuthLayout>
  );
}
