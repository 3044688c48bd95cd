import { Alert, Button, Divider, Stack, Typography } from '@mui/material';
import { useMutation } from '@tanstack/react-query';
import { unwrap } from '@tenantry/client';
import { useState } from 'react';
import { EmailField, PasswordField } from '../form/field';
import { Form } from '../form/form';
import { api } from '../session';
import { AuthLayout } from './auth-layout';
import { AuthLink, useTypedEmail } from './auth-link';
import { CheckInbox } from './check-inbox';
import { useHasSessionEnded } from './ended-session';
import { PasskeyButton } from './passkey-button';
import { ProviderButtons } from './provider-buttons';
import { useReturnPath } from './return-path';
import { useSecondFactorStep } from './sign-in-ticket';

/** Signs in with a password, and links to all other ways. `SignedOut` leads on from here. */
export function SignInPage() {
  const typedEmail = useTypedEmail();
  const [email, setEmail] = useState(typedEmail);
  const openSecondStep = useSecondFactorStep();
  const returnPath = useReturnPath();
  const hasSessionEnded = useHasSessionEnded();
  const [unverified, setUnverified] = useState<string>();
  const resendTo = (to: string) => api.POST('/auth/resend-verification', { body: { email: to } });
  const resending = useMutation({
    mutationFn: async (to: string) => unwrap(await resendTo(to)),
    onSuccess: (_nothing, to) => setUnverified(to),
  });
  if (unverified)
    return (
      <CheckInbox
        text={`We sent a link to ${unverified}. Open it to verify your email address.`}
        resend={() => resendTo(unverified)}
      />
    );
  return (
    <AuthLayout title="Sign in">
      <Stack spacing={2.5}>
        {hasSessionEnded && <Alert severity="info">You’ve been signed out. Sign in again to continue.</Alert>}
        <Form
          submit="Sign in"
          send={({ email: to = '', password = '' }) => api.POST('/auth/login', { body: { email: to, password } })}
          onDone={(signIn) => 'secondFactor' in signIn && openSecondStep(signIn, returnPath)}
          fieldErrors={{ INVALID_CREDENTIALS: 'password' }}
          errorAction={({ code }, { email: to = '' }) =>
            code === 'EMAIL_NOT_VERIFIED' && (
              <Button
                size="small"
                color="inherit"
                variant="outlined"
                loading={resending.isPending}
                onClick={() => resending.mutate(to)}
              >
                Resend email
              </Button>
            )
          }
        >
          <EmailField
            autoFocus
            hasPasskeys
            defaultValue={typedEmail}
            onChange={({ target }) => setEmail(target.value)}
          />
          <PasswordField />
        </Form>
        <Stack direction="row" sx={{ justifyContent: 'space-between', flexWrap: 'wrap', gap: 1 }}>
          <AuthLink to="/forgot-password" email={email}>
            Forgot password?
          </AuthLink>
          <AuthLink to="/magic-link" email={email}>
            Email me a sign-in link
          </AuthLink>
        </Stack>
        <Divider>or</Divider>
        <Stack spacing={1}>
          <PasskeyButton />
          <ProviderButtons />
        </Stack>
        <Typography sx={{ textAlign: 'center' }}>
          New to Tenantry?{' '}
          <AuthLink to="/register" email={email}>
            Create an account
          </AuthLink>
        </Typography>
      </Stack>
    </AuthLayout>
  );
}
