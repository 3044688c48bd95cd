import { Button, Checkbox, FormControlLabel } from '@mui/material';
import { useState } from 'react';
import { Link } from 'react-router';
import { NewPasswordField } from '../form/field';
import { Form } from '../form/form';
import { api } from '../session';
import { AuthLayout } from './auth-layout';
import { LinkUsed } from './link-used';

/** A new password, by the mailed link. All sessions end with it. */
export default function ResetPasswordPage({ token }: { token: string | undefined }) {
  const [isDone, setDone] = useState(false);
  const toLogin = (caption: string, to: string) => (
    <Button component={Link} to={to} fullWidth variant="contained">
      {caption}
    </Button>
  );
  if (!token) return <LinkUsed />;
  if (isDone) {
    return (
      <AuthLayout title="Your password is changed" text="You were logged out everywhere. Log in with the new one.">
        {toLogin('Log in', '/login')}
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title="Choose a new password">
      <Form
        submit="Set password"
        send={({ password = '', unlink }) =>
          api.POST('/auth/password/reset', { body: { token, password, unlinkProviders: Boolean(unlink) } })
        }
        onDone={() => setDone(true)}
        errorAction={(code) => code.startsWith('RESET_TOKEN') && toLogin('Send a new link', '/forgot-password')}
      >
        <NewPasswordField />
        <FormControlLabel
          control={<Checkbox name="unlink" />}
          label="Also unlink Google and GitHub, in case somebody else linked them"
        />
      </Form>
    </AuthLayout>
  );
}
