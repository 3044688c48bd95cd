import { Button, Checkbox, FormControlLabel } from '@mui/material';
import { useState } from 'react';
import { Link } from 'react-router';
import { NewPasswordField } from '../form/field';
import { Form } from '../form/form';
import { api } from '../session';
import { Door } from './door';
import { LinkUsedUp } from './usedup';

/** A new password, by the mailed link. All sessions end with it. */
export default function ResetPassword({ token }: { token: string | undefined }) {
  const [isDone, setDone] = useState(false);
  const toLogin = (caption: string, to: string) => (
    <Button component={Link} to={to} fullWidth variant="contained">
      {caption}
    </Button>
  );
  if (!token) return <LinkUsedUp />;
  if (isDone) {
    return (
      <Door title="Your password is changed" text="You were logged out everywhere. Log in with the new one.">
        {toLogin('Log in', '/login')}
      </Door>
    );
  }
  return (
    <Door title="Choose a new password">
      <Form
        submit="Set password"
        send={({ password = '', unlink }) =>
          api.POST('/auth/password/reset', { body: { token, password, unlinkProviders: Boolean(unlink) } })
        }
        onDone={() => setDone(true)}
        wayOn={(code) => code.startsWith('RESET_TOKEN') && toLogin('Send a new link', '/forgot-password')}
      >
        <NewPasswordField />
        <FormControlLabel
          control={<Checkbox name="unlink" />}
          label="Also unlink Google and GitHub, in case somebody else linked them"
        />
      </Form>
    </Door>
  );
}
