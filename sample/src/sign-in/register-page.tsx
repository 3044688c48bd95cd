import { Divider, Stack, Typography } from '@mui/material';
import { useState } from 'react';
import { EmailField, NameField, NewPasswordField } from '../form/field';
import { Form } from '../form/form';
import { api } from '../session';
import { AuthLayout } from './auth-layout';
import { AuthLink, useTypedEmail } from './auth-link';
import { CheckInbox } from './check-inbox';
import { ProviderButtons } from './provider-buttons';

/**
 * Creates an account with a workspace. Its email address must be verified before the first
 * sign-in.
 */
export function RegisterPage() {
  const typedEmail = useTypedEmail();
  const [email, setEmail] = useState<string>();
  if (email) {
    const resend = () => api.POST('/auth/resend-verification', { body: { email } });
    return <CheckInbox text={`We sent a link to ${email}. Open it to verify your email address.`} resend={resend} />;
  }
  return (
    <AuthLayout title="Create your account" text="Free to start. Your own workspace included.">
      <Stack spacing={2.5}>
        <Form
          submit="Create account"
          send={({ name = '', email: to = '', password = '' }) =>
            api.POST('/auth/register', { body: { name, email: to, password } })
          }
          onDone={({ user }) => setEmail(user.email)}
          fieldErrors={{ EMAIL_TAKEN: 'email' }}
        >
          <NameField autoFocus />
          <EmailField defaultValue={typedEmail} />
          <NewPasswordField />
        </Form>
        <Divider>or</Divider>
        <ProviderButtons />
        <Typography sx={{ textAlign: 'center' }}>
          Already have an account? <AuthLink to="/login">Sign in</AuthLink>
          {' · '}
          <AuthLink to="/pricing">Pricing</AuthLink>
        </Typography>
      </Stack>
    </AuthLayout>
  );
}
