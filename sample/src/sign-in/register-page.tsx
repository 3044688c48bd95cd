import { Divider, Stack, Typography } from '@mui/material';
import { useState } from 'react';
import { EmailField, Field, NewPasswordField } from '../form/field';
import { Form } from '../form/form';
import { api } from '../session';
import { AuthLayout } from './auth-layout';
import { CheckInbox } from './check-inbox';
import { ProviderButtons } from './provider-buttons';
import { AuthLink } from './auth-link';

/**
 * A new account, with a workspace of its own; its address has to be confirmed before it is of use.
 */
export function RegisterPage() {
  const [email, setEmail] = useState<string>();
  if (email) {
    const again = () => api.POST('/auth/resend-verification', { body: { email } });
    return (
      <CheckInbox text={`We sent a link to ${email}. Open it to confirm your address, and you are in.`} again={again} />
    );
  }
  return (
    <AuthLayout title="Create your account" text="You get a workspace of your own, for free.">
      <Stack spacing={2.5}>
        <Form
          submit="Create account"
          send={({ name = '', email = '', password = '' }) =>
            api.POST('/auth/register', { body: { name, email, password } })
          }
          onDone={({ user }) => setEmail(user.email)}
          at={{ EMAIL_TAKEN: 'email' }}
        >
          <Field name="name" label="Your name" autoComplete="name" />
          <EmailField />
          <NewPasswordField />
        </Form>
        <Divider>or</Divider>
        <ProviderButtons />
        <Typography sx={{ textAlign: 'center' }}>
          Have an account? <AuthLink to="/login">Log in</AuthLink>
        </Typography>
      </Stack>
    </AuthLayout>
  );
}
