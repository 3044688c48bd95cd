import { Button } from '@mui/material';
import { useMutation } from '@tanstack/react-query';
import { unwrap, type Schemas } from '@tenantry/client';
import { useState, type ComponentProps } from 'react';
import { api } from '../session';
import type { AuthenticatorSetup } from './authenticator-setup';

type Setup = typeof AuthenticatorSetup;

/** Starts the setup of an authenticator app. @param onDone receives the recovery codes */
export function AuthenticatorSetupButton({ onDone }: { onDone: (codes: Schemas['RecoveryCodesView']) => void }) {
  const [setup, setSetup] = useState<{ Dialog: Setup } & Pick<ComponentProps<Setup>, 'enrolment'>>();
  const starting = useMutation({
    mutationFn: async () => {
      const code = import('./authenticator-setup'); // with the QR code, which few visitors need
      const enrolment = unwrap(await api.POST('/auth/factors/totp'));
      return { Dialog: (await code).AuthenticatorSetup, enrolment };
    },
    onSuccess: setSetup,
  });
  return (
    <>
      <Button variant="contained" loading={starting.isPending} onClick={() => starting.mutate()}>
        Set up
      </Button>
      {setup && <setup.Dialog enrolment={setup.enrolment} close={() => setSetup(undefined)} onDone={onDone} />}
    </>
  );
}
