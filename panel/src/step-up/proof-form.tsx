import { Button, DialogActions, DialogContent, DialogContentText, Stack } from '@mui/material';
import { ApiError, type Failure, type Schemas } from '@tenantry/client';
import { useEffect, useRef, useState, type SubmitEvent } from 'react';
import { api } from '../api';
import { ErrorAlert } from '../components/error-alert';
import { focusAfterError } from '../components/focus-after-error';
import { ProofField, type Proof } from './proof-field';

interface ProofFormProps {
  readonly methods: Schemas['StepUpMethodsView']['methods'];
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

/** Confirms the identity with the second factor if the account has one, else with the password. */
export const ProofForm = ({ methods, onDone, onCancel }: ProofFormProps) => {
  const [proof, setProof] = useState<Proof>(methods.includes('password') ? 'password' : 'code');
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
    const answer = await api.POST('/auth/step-up', { body: Object.fromEntries(new FormData(event.currentTarget)) });
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
          {methods.includes('recovery-code') && (
            <Button sx={{ mx: -0.5 }} onClick={() => choose(proof === 'code' ? 'recoveryCode' : 'code')}>
              {proof === 'code' ? 'Use a recovery code' : 'Use your authenticator app'}
            </Button>
          )}
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={onCancel} color="inherit">
          Cancel
        </Button>
        <Button type="submit" variant="contained" loading={isBusy}>
          Confirm
        </Button>
      </DialogActions>
    </form>
  );
};

const TEXTS: Readonly<Record<Proof, string>> = {
  password: '',
  code: 'Enter the code that your authenticator app shows.',
  recoveryCode: 'Each recovery code works once.',
};

/** The codes of errors about what was entered. */
const WRONG: readonly string[] = ['INVALID_CREDENTIALS', 'SECOND_FACTOR_INVALID', 'VALIDATION_ERROR'];

/** The general message would name the email too, which is not asked for. */
const errorOf = (failure: Failure) =>
  failure.code === 'INVALID_CREDENTIALS' ? new Error('Incorrect password.') : new ApiError(failure);
