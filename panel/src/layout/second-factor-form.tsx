import { Button, Stack, Typography } from '@mui/material';
import { ApiError, type Schemas } from '@tenantry/client';
import { useState } from 'react';
import { OtherProofs } from '../step-up/other-proofs';
import { ProofField, type Proof } from '../step-up/proof-field';
import { usableProofs } from '../step-up/usable-proofs';
import { LoginForm } from './login-form';

interface SecondFactorFormProps {
  readonly ticket: Schemas['TicketView'];
  /** @param because the error of a ticket that is not accepted any more */
  readonly startAgain: (because?: unknown) => void;
}

/**
 * The second step of the sign-in: a passkey, the code of the authenticator app, or a recovery code.
 * Browsers are not trusted here, because admin access needs a proven second factor.
 */
export const SecondFactorForm = ({ ticket: { ticket, methods }, startAgain }: SecondFactorFormProps) => {
  const proofs = usableProofs(methods);
  const [proof, setProof] = useState(proofs[0]);
  const handle = (thrown: unknown) => {
    const isOver = thrown instanceof ApiError && thrown.code === 'TICKET_INVALID';
    if (isOver) startAgain(thrown);
    return isOver;
  };
  const footer = (
    <Stack direction="row" sx={{ justifyContent: 'space-between', flexWrap: 'wrap', mx: -0.5, my: -1 }}>
      <OtherProofs proofs={proofs} current={proof} onChoose={setProof} />
      <Button onClick={() => startAgain()}>Start again</Button>
    </Stack>
  );
  return (
    <LoginForm
      key={proof} // a new form: its field takes the focus, and an error of the other is gone
      submit={proof === 'passkey' ? 'Use passkey' : 'Continue'}
      paramsOf={(values) => ({ ticket, ...values })}
      handle={handle}
      footer={footer}
    >
      {(wrong) => (
        <>
          <Typography>{TEXTS[proof]}</Typography>
          <ProofField key={proof} proof={proof} isWrong={wrong.includes(proof)} />
        </>
      )}
    </LoginForm>
  );
};

const TEXTS: Readonly<Partial<Record<Proof, string>>> = {
  passkey: 'Confirm that it is you with your passkey: fingerprint, face, screen lock or security key.',
  code: 'Enter the 6-digit code that your authenticator app shows for Tenantry.',
  recoveryCode: 'Enter one of your recovery codes. Each works once.',
};
