import { Checkbox, FormControlLabel } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { unwrap } from '@tenantry/client';
import { useState } from 'react';
import { NewPasswordField } from '../form/field';
import { Form, type FormValues } from '../form/form';
import { QueryResult } from '../list/query-result';
import { messageForCode } from '../messages';
import { api } from '../session';
import { AuthLayout } from './auth-layout';
import { ButtonLink } from './button-link';
import { ReopenLink } from './reopen-link';

const LINK_TITLES: Readonly<Record<string, string>> = {
  RESET_TOKEN_INVALID: 'This link is no longer valid',
  RESET_TOKEN_EXPIRED: 'This link has expired',
};

/**
 * Sets a new password with the emailed link, which is checked when the page opens. All sessions are
 * revoked.
 */
export default function ResetPasswordPage({ token }: { token: string | undefined }) {
  const [isDone, setDone] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const link = useQuery({
    queryKey: ['reset-link', token],
    queryFn: async () => unwrap(await api.POST('/auth/password/check-link', { body: { token: token! } })),
    enabled: token !== undefined,
    staleTime: Infinity,
    meta: { isOnce: true }, // the reset uses the link up
  });
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
  const linkError = refusal ?? link.error?.failure.code;
  if (linkError && linkError in LINK_TITLES) {
    return (
      <AuthLayout title={LINK_TITLES[linkError]} text={messageForCode(linkError)}>
        <ButtonLink to="/forgot-password">Send a new link</ButtonLink>
      </AuthLayout>
    );
  }
  const reset = async ({ password = '', unlink }: FormValues) => {
    const answer = await api.POST('/auth/password/reset', {
      body: { token, password, unlinkProviders: Boolean(unlink) },
    });
    if (!answer.ok && answer.error.code in LINK_TITLES) setRefusal(answer.error.code);
    return answer;
  };
  return (
    <AuthLayout title="Choose a new password">
      <QueryResult from={link}>
        {() => (
          <Form submit="Set password" send={reset} onDone={() => setDone(true)}>
            <NewPasswordField autoFocus />
            <FormControlLabel
              control={<Checkbox name="unlink" />}
              label="Also unlink Google and GitHub, in case someone else linked them"
            />
          </Form>
        )}
      </QueryResult>
    </AuthLayout>
  );
}
