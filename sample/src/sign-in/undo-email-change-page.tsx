import { useState } from 'react';
import { Form } from '../form/form';
import { api } from '../session';
import { AuthLayout } from './auth-layout';
import { ButtonLink } from './button-link';
import { recoveryText } from './recovery-text';
import { ReopenLink } from './reopen-link';

const Done = () => (
  <AuthLayout
    title="The change is undone"
    text={
      'Your account has this email address again, and all devices are signed out. To sign in again, set a new ' +
      'password. We’ll email you a link.'
    }
  >
    <ButtonLink to="/forgot-password">Set a new password</ButtonLink>
  </AuthLayout>
);

const TooLate = () => (
  <AuthLayout
    title="This change can’t be undone any more"
    text={
      'It was already undone, or more than 72 hours have passed. If your account still has another address that ' +
      'isn’t yours, contact support.'
    }
  >
    <ButtonLink to="/">Back to sign in</ButtonLink>
  </AuthLayout>
);

const Taken = () => (
  <AuthLayout
    title="Another account uses this address"
    text={
      'Nothing was changed. If the other account is yours, change its email address, then open this link again. ' +
      'If not, contact support.'
    }
  >
    <ButtonLink to="/">Back to sign in</ButtonLink>
  </AuthLayout>
);

/** What the page shows after the button was pressed. */
const OUTCOMES = { done: Done, taken: Taken, 'too-late': TooLate };

/**
 * The page of the link in the email to the earlier address of an account. A button sends the token,
 * so that programs that open links undo nothing. Nobody has to be signed in.
 */
export default function UndoEmailChangePage({ token }: { token: string | undefined }) {
  const [outcome, setOutcome] = useState<keyof typeof OUTCOMES>();
  if (!token) return <ReopenLink />;
  if (outcome) {
    const Outcome = OUTCOMES[outcome];
    return <Outcome />;
  }
  const undo = async () => {
    const answer = await api.POST('/auth/email-change/undo', { body: { token } });
    if (!answer.ok && answer.error.code.startsWith('UNDO_TOKEN')) setOutcome('too-late');
    if (!answer.ok && answer.error.code === 'EMAIL_TAKEN') setOutcome('taken');
    return answer;
  };
  return (
    <AuthLayout
      title="Undo the change of your email address?"
      text={`If someone else changed it: your account gets this address back, ${recoveryText('before the change')}`}
    >
      <Form submit="Undo the change" isDanger send={undo} onDone={() => setOutcome('done')} />
    </AuthLayout>
  );
}
