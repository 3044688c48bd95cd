import { Button, Divider, Stack, Typography } from '@mui/material';
import { useMutation } from '@tanstack/react-query';
import { unwrap } from '@tenantry/client';
import { useState } from 'react';
import { EmailField, Field } from '../form/field';
import { Form } from '../form/form';
import { api } from '../session';
import { AuthLayout } from './auth-layout';
import { CheckInbox } from './check-inbox';
import { ProviderButtons } from './provider-buttons';
import { AuthLink } from './auth-link';

/**
 * Signing in, in each of the ways there are. What comes next is decided around this page: it is
 * left as soon as somebody is signed in.
 */
export function SignInPage() {
  const [unverified, setUnverified] = useState<string>();
  const verify = (email: string) => api.POST('/auth/resend-verification', { body: { email } });
  const verifying = useMutation({
    mutationFn: async (email: string) => unwrap(await verify(email)),
    onSuccess: (_nothing, email) => setUnverified(email),
  });
  if (unverified)
    return (
      <CheckInbox
        text={`We sent a link to ${unverified}. Open it to confirm your address.`}
        again={() => verify(unverified)}
      />
    );
  return (
    <AuthLayout title="Log in">
      <Stack spacing={2.5}>
        <Form
          submit="Log in"
          send={({ email = '', password = '' }) => api.POST('/auth/login', { body: { email, password } })}
          errorAction={(code, { email = '' }) =>
            code === 'EMAIL_NOT_VERIFIED' && (
              <Button
                size="small"
                color="inherit"
                variant="outlined"
                loading={verifying.isPending}
                onClick={() => verifying.mutate(email)}
              >
                Send the mail again
              </Button>
            )
          }
        >
          <EmailField />
          <Field name="password" label="Password" type="password" autoComplete="current-password" />
        </Form>
        <Stack direction="row" sx={{ justifyContent: 'space-between', flexWrap: 'wrap', gap: 1 }}>
          <AuthLink to="/forgot-password">Forgot your password?</AuthLink>
          <AuthLink to="/magic-link">Mailer me a link</AuthLink>
        </Stack>
        <Divider>or</Divider>
        <ProviderButtons />
        <Typography sx={{ textAlign: 'center' }}>
          New here? <AuthLink to="/register">Create an account</AuthLink>
        </Typography>
      </Stack>
    </AuthLayout>
  );
}
