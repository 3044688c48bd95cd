import { Box, Button, DialogContentText, Link, Stack, Typography, useMediaQuery } from '@mui/material';
import type { Schemas } from '@tenantry/client';
import { useState } from 'react';
import { DIGIT_CODE_ERRORS, DigitCodeField, MONOSPACE } from '../form/code-fields';
import { CopyButton } from '../form/copy-button';
import { FormDialog } from '../form/form-dialog';
import { api } from '../session';
import { QrCode } from './qr-code';

interface AuthenticatorSetupProps {
  readonly enrolment: Schemas['TotpEnrolmentView'];
  readonly close: () => void;
  readonly onDone: (codes: Schemas['RecoveryCodesView']) => void;
}

/** Adds the account to an authenticator app, and turns it on with the app's first code. */
export function AuthenticatorSetup({ enrolment: { otpauthUri, secret }, close, onDone }: AuthenticatorSetupProps) {
  const isPhone = useMediaQuery('(pointer: coarse)', { noSsr: true });
  return (
    <FormDialog
      isOpen
      close={close}
      title="Set up your authenticator app"
      submit="Turn on"
      send={({ code = '' }) => api.POST('/auth/factors/totp/confirm', { body: { code } })}
      onDone={onDone}
      fieldErrors={DIGIT_CODE_ERRORS}
    >
      <DialogContentText>
        1. In an authenticator app on your phone, add an account and scan this QR code.
      </DialogContentText>
      <Stack sx={{ alignItems: 'center', gap: 1.5 }}>
        <QrCode text={otpauthUri} label="QR code for your authenticator app" />
        {isPhone && (
          <Button variant="outlined" href={otpauthUri}>
            Open in an app on this phone
          </Button>
        )}
      </Stack>
      <SecretKey secret={secret} />
      <DialogContentText>2. Enter the code that the app shows for Tenantry.</DialogContentText>
      <DigitCodeField autoFocus={!isPhone} />
    </FormDialog>
  );
}

/** The secret for people who cannot scan the code. */
function SecretKey({ secret }: { secret: string }) {
  const [isShown, setShown] = useState(false);
  if (!isShown) {
    return (
      <Typography variant="body2" sx={{ textAlign: 'center' }}>
        Can’t scan it?{' '}
        <Link component="button" type="button" variant="body2" onClick={() => setShown(true)}>
          Enter a key instead
        </Link>
      </Typography>
    );
  }
  return (
    <Box sx={{ bgcolor: 'background.default', borderRadius: 1, p: 1.5 }}>
      <Stack direction="row" sx={{ justifyContent: 'space-between', alignItems: 'center' }}>
        <Typography variant="body2" color="textSecondary">
          Key
        </Typography>
        <CopyButton label="Copy key" text={secret} autoFocus />
      </Stack>
      <Typography sx={{ fontFamily: MONOSPACE, wordSpacing: '0.2em' }}>{secret.match(/.{1,4}/g)?.join(' ')}</Typography>
    </Box>
  );
}
