import { Checkbox, FormControlLabel } from '@mui/material';
import type { ErrorCode } from '@tenantry/client';
import { useState } from 'react';
import { NewPasswordField } from '../form/field';
import { Form, type FormValues } from '../form/form';
import { messageForCode } from '../messages';
import { api } from '../session';
import { AuthLayout } from './auth-layout';
import { ButtonLink } from './button-link';
import { ReopenLink } from './reopen-link';

/** Sets a new password with the emailed link. All sessions end. */
export default function ResetPasswordPage({ token }: { token: string | undefined }) {
  const [isDone, setDone] = useState(false);
  const [linkError, setLinkError] = useState<ErrorCode>();
  if (!token) return <ReopenLink />;
  if (isDone) {
    return (
      <AuthLayout
        title="Password updated"
        text="You’ve been signed out on all devices. Sign in with your new password."
      >
        <ButtonLink to="/login">Sign in</ButtonLink>
      </AuthLayout>
    );
  }
  if (linkError) {
    return (
      <AuthLayout
        title={linkError === 'RESET_TOKEN_EXPIRED' ? 'This link has expired' : 'This link is no longer valid'}
        text={messageForCode(linkError)}
      >
        <ButtonLink to="/forgot-password">Send a new link</ButtonLink>
      </AuthLayout>
    );
  }
  const reset = async ({ password = '', unlink }: FormValues) => {
    const answer = await api.POST('/auth/password/reset', {
      body: { token, password, unlinkProviders: Boolean(unlink) },
    });
    if (!answer.ok && (answer.error.code === 'RESET_TOKEN_INVALID' || answer.error.code === 'RESET_TOKEN_EXPIRED'))
      setLinkError(answer.error.code);
    return answer;
  };
  return (
    <AuthLayout title="Choose a new password">
      <Form submit="Set password" send={reset} onDone={() => setDone(true)}>
        <NewPasswordField autoFocus />
        <FormControlLabel
          control={<Checkbox name="unlink" />}
          label="Also unlink Google and GitHub, in case someone else linked them"
        />
      </Form>
    </AuthLayout>
  );
}
