import { useState } from 'react';
import { Form } from '../form/form';
import { api } from '../session';
import { AuthLayout } from './auth-layout';
import { ButtonLink } from './button-link';
import { ReopenLink } from './reopen-link';

const TooLate = () => (
  <AuthLayout
    title="Nothing to stop"
    text={
      'The reset was already stopped, canceled or carried out, or this link has expired. ' +
      'If your second factor was removed and that wasn’t you, use “This was not me” in the email about it.'
    }
  >
    <ButtonLink to="/">Back to sign in</ButtonLink>
  </AuthLayout>
);

/**
 * The page of the link in the email about the reset of a second factor: nothing is removed. Nobody
 * has to be signed in.
 */
export default function StopFactorResetPage({ token }: { token: string | undefined }) {
  const [isDone, setDone] = useState(false);
  const [isTooLate, setTooLate] = useState(false);
  if (!token) return <ReopenLink />;
  if (isTooLate) return <TooLate />;
  if (isDone) {
    return (
      <AuthLayout
        title="The reset is stopped"
        text={
          'Your second factor stays as it is. If someone asked for the reset in your name, tell our support ' +
          'team, and change your password if others may know it.'
        }
      >
        <ButtonLink to="/">Back to sign in</ButtonLink>
      </AuthLayout>
    );
  }
  const stop = async () => {
    const answer = await api.POST('/auth/factors/reset/stop', { body: { token } });
    if (!answer.ok && (answer.error.code.startsWith('RESET_TOKEN') || answer.error.code === 'NOT_FOUND'))
      setTooLate(true);
    return answer;
  };
  return (
    <AuthLayout
      title="Keep your second factor?"
      text={
        'Our support team was asked to reset the second factor of your account. ' +
        'If that wasn’t you, or if you still have it, stop the reset.'
      }
    >
      <Form submit="Stop the reset" send={stop} onDone={() => setDone(true)} />
    </AuthLayout>
  );
}
