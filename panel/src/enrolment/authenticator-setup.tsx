import { Box, Button, Stack, Typography } from '@mui/material';
import { ApiError, type Failure, type Schemas } from '@tenantry/client';
import { lazy, Suspense, useEffect, useRef, useState, type SubmitEvent } from 'react';
import { api } from '../api';
import { CopyButton } from '../components/copy-button';
import { ErrorAlert } from '../components/error-alert';
import { focusAfterError } from '../components/focus-after-error';
import { Loading } from '../components/loading';
import { ProofField } from '../step-up/proof-field';

/** Operators see it once: its script is loaded then. */
const QrCode = lazy(() => import('./qr-code'));

interface AuthenticatorSetupProps {
  readonly enrolment: Schemas['TotpEnrolmentView'];
  readonly onDone: (codes: readonly string[]) => void;
}

/** Adds the account to an authenticator app, and turns it on with the app's first code. */
export const AuthenticatorSetup = ({ enrolment: { otpauthUri, secret }, onDone }: AuthenticatorSetupProps) => {
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setIsBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  // The button was disabled while sending and has lost the focus.
  useEffect(() => {
    if (failure) focusAfterError(form.current);
  }, [failure]);
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setIsBusy(true);
    setFailure(undefined);
    const body = Object.fromEntries(new FormData(event.currentTarget)) as unknown as Schemas['EnableTotpBody'];
    const answer = await api.POST('/auth/factors/totp/confirm', { body });
    setIsBusy(false);
    if (answer.ok) onDone(answer.data.recoveryCodes);
    else setFailure(answer.error);
  };
  return (
    <Stack
      component="form"
      ref={form}
      sx={{ gap: 2, width: '100%' }}
      onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
        void submit(event);
      }}
    >
      <Typography>1. In an authenticator app on your phone, add an account and scan this QR code.</Typography>
      <Box sx={{ alignSelf: 'center', minHeight: 210 }}>
        <Suspense fallback={<Loading />}>
          <QrCode text={otpauthUri} label="QR code for your authenticator app" />
        </Suspense>
      </Box>
      <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
        Or enter this key:
        <br />
        <Box component="span" sx={{ fontFamily: 'monospace' }}>
          {secret.match(/.{1,4}/g)?.join(' ')}
        </Box>
        <CopyButton name="Key" value={secret} />
      </Typography>
      <Typography>2. Enter the code that the app shows for Tenantry.</Typography>
      {failure && <ErrorAlert error={new ApiError(failure)} />}
      <ProofField proof="code" isWrong={failure !== undefined} />
      <Button type="submit" variant="contained" size="large" loading={isBusy}>
        Turn on
      </Button>
    </Stack>
  );
};
