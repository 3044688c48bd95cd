import { useState } from 'react';
import { Form } from '../form/form';
import { api } from '../session';
import { AuthLayout } from './auth-layout';
import { ButtonLink } from './button-link';
import { recoveryText } from './recovery-text';
import { ReopenLink } from './reopen-link';

/**
 * The page of "This was not me" in a security email: all sessions end, and everything else that
 * gives access is removed. Only the mailbox still does, with a second factor that is not new.
 */
export default function SecureAccountPage({ token }: { token: string | undefined }) {
  const [isDone, setDone] = useState(false);
  const [isTooLate, setTooLate] = useState(false);
  if (!token) return <ReopenLink />;
  if (isDone) {
    return (
      <AuthLayout
        title="Your account is secured"
        text="All devices are signed out. To sign in again, set a new password. We’ll email you a link."
      >
        <ButtonLink to="/forgot-password">Set a new password</ButtonLink>
      </AuthLayout>
    );
  }
  if (isTooLate) {
    return (
      <AuthLayout
        title="This link is no longer valid"
        text={
          'It was already used, or it has expired. If something is wrong with your account, set a new ' +
          'password. We’ll email you a link, and all devices are signed out.'
        }
      >
        <ButtonLink to="/forgot-password">Set a new password</ButtonLink>
      </AuthLayout>
    );
  }
  const secure = async () => {
    const answer = await api.POST('/auth/secure-account', { body: { token } });
    if (!answer.ok && answer.error.code.startsWith('RESET_TOKEN')) setTooLate(true);
    return answer;
  };
  return (
    <AuthLayout title="Secure your account" text={`If this wasn’t you: ${recoveryText('ago')}`}>
      <Form submit="Secure my account" isDanger send={secure} onDone={() => setDone(true)} />
    </AuthLayout>
  );
}
