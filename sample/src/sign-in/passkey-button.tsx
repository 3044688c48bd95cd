import Fingerprint from '@mui/icons-material/Fingerprint';
import { Button } from '@mui/material';
import { useMutation } from '@tanstack/react-query';
import { hasPasskeys, offerPasskeyAutofill, signInWithPasskey, unwrap, type Failure } from '@tenantry/client';
import { useEffect, useState } from 'react';
import { ErrorAlert } from '../form/error-alert';
import { api } from '../session';

/**
 * Signs in with a passkey. Browsers also offer passkeys in the email field, until the page is left
 * or the button is pressed, so that no user signs in twice.
 */
export function PasskeyButton() {
  const [refused, setRefused] = useState<Failure>();
  const signingIn = useMutation({
    meta: { isShown: true },
    mutationFn: async () => unwrap(await signInWithPasskey(api)),
    onMutate: () => setRefused(undefined),
  });
  const isPressed = signingIn.isPending || signingIn.isSuccess;
  useEffect(() => {
    if (isPressed) return undefined;
    const offer = new AbortController();
    void offerPasskeyAutofill(api, offer.signal, setRefused);
    return () => offer.abort();
  }, [isPressed]);
  if (!hasPasskeys()) return null;
  const failure = refused ?? signingIn.error?.failure;
  return (
    <>
      <Button
        variant="outlined"
        color="inherit"
        startIcon={<Fingerprint />}
        loading={signingIn.isPending}
        loadingPosition="start"
        onClick={() => signingIn.mutate()}
      >
        Sign in with a passkey
      </Button>
      {failure && <ErrorAlert failure={failure} />}
    </>
  );
}
