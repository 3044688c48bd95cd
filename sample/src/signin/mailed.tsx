import { type Answer } from '@tenantry/client';
import { Alert, Stack } from '@mui/material';
import { useState } from 'react';
import { Form } from '../form/form';
import { Door } from './door';
import { Way } from './way';

/** A mail is on its way, and can be sent once more. */
export function CheckYourMail({ text, again }: { text: string; again: () => Promise<Answer<unknown>> }) {
  const [isAgain, setAgain] = useState(false);
  return (
    <Door title="Check your mail" text={text}>
      <Stack spacing={2}>
        {isAgain && <Alert severity="success">We sent it again. It can take a minute to arrive.</Alert>}
        <Form submit="Send it again" send={again} onDone={() => setAgain(true)} />
        <Way to="/login">Back to log in</Way>
      </Stack>
    </Door>
  );
}
