import { Stack } from '@mui/material';
import { useState } from 'react';
import { Form } from '../form/form';
import { api } from '../session';
import { AuthLayout } from './auth-layout';
import { ButtonLink } from './button-link';
import { ReopenLink } from './reopen-link';

/** A verified account is not deleted by this link. A new password takes it over instead. */
const TooLate = () => (
  <AuthLayout
    title="This registration can no longer be deleted"
    text={
      'It was already deleted, or its email address has been verified since. If that wasn’t you, set a ' +
      'new password. We’ll email you a link, and all other devices are signed out.'
    }
  >
    <Stack spacing={1}>
      <ButtonLink to="/forgot-password">Set a new password</ButtonLink>
      <ButtonLink to="/" variant="outlined">
        Back to sign in
      </ButtonLink>
    </Stack>
  </AuthLayout>
);

/**
 * The page of "This was not me" in a verification email: the account that someone else created with
 * this address is deleted.
 */
export default function NotMePage({ token }: { token: string | undefined }) {
  const [isDone, setDone] = useState(false);
  const [isTooLate, setTooLate] = useState(false);
  if (!token) return <ReopenLink />;
  if (isDone) {
    return (
      <AuthLayout
        title="Registration deleted"
        text={
          'Its password and links no longer work. ' +
          'If your address was registered more than once, each email has its own link.'
        }
      >
        <ButtonLink to="/">Back to sign in</ButtonLink>
      </AuthLayout>
    );
  }
  if (isTooLate) return <TooLate />;
  const cancelRegistration = async () => {
    const answer = await api.POST('/auth/not-me', { body: { token } });
    if (!answer.ok && answer.error.code.startsWith('VERIFICATION_TOKEN')) setTooLate(true);
    return answer;
  };
  return (
    <AuthLayout
      title="Wasn’t you?"
      text={
        'Someone created an account with your email address. ' +
        'You can delete the registration. Your mailbox is not affected.'
      }
    >
      <Form submit="Delete registration" isDanger send={cancelRegistration} onDone={() => setDone(true)} />
    </AuthLayout>
  );
}
