import { Button, Stack, Typography } from '@mui/material';
import { ApiError, type Schemas } from '@tenantry/client';
import { useState } from 'react';
import { ProofField, type Proof } from '../step-up/proof-field';
import { LoginForm } from './login-form';

interface SecondFactorFormProps {
  readonly ticket: Schemas['TicketView'];
  /** @param because the error of a ticket that is not accepted any more */
  readonly startAgain: (because?: unknown) => void;
}

/**
 * The second step of the sign-in: the code of the authenticator app, or a recovery code. Browsers
 * are not trusted here, because admin access needs a proven second factor.
 */
export const SecondFactorForm = ({ ticket: { ticket, methods }, startAgain }: SecondFactorFormProps) => {
  const [field, setField] = useState<Proof>(methods.includes('totp') ? 'code' : 'recoveryCode');
  const isCode = field === 'code';
  const handle = (thrown: unknown) => {
    const isOver = thrown instanceof ApiError && thrown.code === 'TICKET_INVALID';
    if (isOver) startAgain(thrown);
    return isOver;
  };
  const footer = (
    <Stack direction="row" sx={{ justifyContent: 'space-between', flexWrap: 'wrap', mx: -0.5, my: -1 }}>
      {methods.length > 1 && (
        <Button onClick={() => setField(isCode ? 'recoveryCode' : 'code')}>
          {isCode ? 'Use a recovery code' : 'Use your authenticator app'}
        </Button>
      )}
      <Button onClick={() => startAgain()}>Start again</Button>
    </Stack>
  );
  return (
    <LoginForm
      key={field} // a new form: its field takes the focus, and an error of the other is gone
      submit="Continue"
      paramsOf={(proof) => ({ ticket, ...proof })}
      handle={handle}
      footer={footer}
    >
      {(wrong) => (
        <>
          <Typography>
            {isCode
              ? 'Enter the 6-digit code that your authenticator app shows for Tenantry.'
              : 'Enter one of your recovery codes. Each works once.'}
          </Typography>
          <ProofField key={field} proof={field} isWrong={wrong.includes(field)} />
        </>
      )}
    </LoginForm>
  );
};
