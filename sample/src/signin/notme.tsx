import { Button } from '@mui/material';
import { useState } from 'react';
import { Link } from 'react-router';
import { Form } from '../form/form';
import { api } from '../session';
import { Door } from './door';
import { LinkUsedUp } from './usedup';

/** Where "This was not me" of a verification mail leads to: the account that somebody else made with one's address is deleted. */
export default function NotMe({ token }: { token: string | undefined }) {
  const [isDone, setDone] = useState(false);
  if (!token) return <LinkUsedUp />;
  if (isDone) {
    return (
      <Door title="The account is deleted" text="Nobody can use what was registered with your address. You need not do anything else.">
        <Button component={Link} to="/" fullWidth variant="contained">
          Go to log in
        </Button>
      </Door>
    );
  }
  return (
    <Door title="This was not you?" text="Somebody has created an account with your address. You can delete it here. Your mailbox is not affected.">
      <Form submit="Delete the account" isDanger send={() => api.POST('/auth/not-me', { body: { token } })} onDone={() => setDone(true)} />
    </Door>
  );
}
