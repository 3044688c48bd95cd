import { Button, DialogActions, DialogContent, DialogContentText, Stack } from '@mui/material';
import { ApiError, confirmWithPasskey, type Failure } from '@tenantry/client';
import { useEffect, useRef, useState, type SubmitEvent } from 'react';
import { api } from '../api';
import { ErrorAlert } from '../components/error-alert';
import { focusAfterError } from '../components/focus-after-error';
import { OtherProofs } from './other-proofs';
import { ProofField, type Proof } from './proof-field';

interface ProofFormProps {
  /** What the user can prove the identity with, the one to prefer first. */
  readonly proofs: readonly Proof[];
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

/** Confirms the identity with a passkey, a code or the password, as the account has them. */
export const ProofForm = ({ proofs, onDone, onCancel }: ProofFormProps) => {
  const [proof, setProof] = useState(proofs[0]);
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setIsBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  // The button was disabled while sending and has lost the focus.
  useEffect(() => {
    if (failure) focusAfterError(form.current);
  }, [failure]);
  const choose = (next: Proof) => {
    setFailure(undefined);
    setProof(next);
  };
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setIsBusy(true);
    setFailure(undefined);
    const body = Object.fromEntries(new FormData(event.currentTarget));
    const answer = await (proof === 'passkey' ? confirmWithPasskey(api) : api.POST('/auth/step-up', { body }));
    setIsBusy(false);
    if (answer.ok) onDone();
    else setFailure(answer.error);
  };
  return (
    <form
      ref={form}
      onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
        void submit(event);
      }}
    >
      <DialogContent>
        <Stack sx={{ gap: 2, alignItems: 'flex-start' }}>
          <DialogContentText>
            We ask before sensitive changes, and not again for 10 minutes. {TEXTS[proof]}
          </DialogContentText>
          {failure && <ErrorAlert error={errorOf(failure)} />}
          <ProofField key={proof} proof={proof} isWrong={WRONG.includes(failure?.code ?? '')} />
          {proofs.length > 1 && (
            <Stack sx={{ mx: -0.5, alignItems: 'flex-start' }}>
              <OtherProofs proofs={proofs} current={proof} onChoose={choose} />
            </Stack>
          )}
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={onCancel} color="inherit">
          Cancel
        </Button>
        <Button type="submit" variant="contained" loading={isBusy}>
          {proof === 'passkey' ? 'Use passkey' : 'Confirm'}
        </Button>
      </DialogActions>
    </form>
  );
};

const TEXTS: Readonly<Record<Proof, string>> = {
  passkey: 'Use your fingerprint, face, screen lock or security key.',
  password: '',
  code: 'Enter the code that your authenticator app shows.',
  recoveryCode: 'Each recovery code works once.',
};

/** The codes of errors about what was entered. */
const WRONG: readonly string[] = ['INVALID_CREDENTIALS', 'SECOND_FACTOR_INVALID', 'VALIDATION_ERROR'];

/** The general message would name the email too, which is not asked for. */
const errorOf = (failure: Failure) =>
  failure.code === 'INVALID_CREDENTIALS' ? new Error('Incorrect password.') : new ApiError(failure);
