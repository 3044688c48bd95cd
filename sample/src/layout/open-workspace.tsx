import type { Failure } from '@tenantry/client';
import { Button, Stack } from '@mui/material';
import { useEffect, useState } from 'react';
import { ErrorAlert } from '../form/error-alert';
import { api, signOut, stopImpersonating, useClaims } from '../session';
import { AuthLayout } from '../sign-in/auth-layout';
import { ButtonLink } from '../sign-in/button-link';
import { LoadingScreen } from './loading-screen';
import { isPolicyRefusal, PolicyRefusal } from './policy-refusal';

/**
 * Makes the workspace in the address the one of this tab. Other tabs stay in theirs. Nothing of
 * another workspace is shown meanwhile.
 */
export function OpenWorkspace({ tenantId }: { tenantId: string }) {
  const [failure, setFailure] = useState<Failure>();
  const [attempt, setAttempt] = useState(1);
  useEffect(() => {
    let isLeft = false;
    void api.POST('/auth/switch-tenant', { body: { tenantId } }).then((answer) => {
      if (answer.ok || isLeft) return;
      if (answer.error.code === 'SESSION_CHANGED') setAttempt((previous) => previous + 1);
      else setFailure(answer.error);
    });
    return () => {
      isLeft = true;
    };
  }, [tenantId, attempt]);
  if (!failure) return <LoadingScreen />;
  if (['NOT_FOUND', 'VALIDATION_ERROR', 'NOT_WHILE_IMPERSONATING'].includes(failure.code)) return <NoAccess />;
  const retry = () => {
    setFailure(undefined);
    setAttempt(attempt + 1);
  };
  if (isPolicyRefusal(failure)) return <PolicyRefusal failure={failure} retry={retry} />;
  return (
    <AuthLayout title="Can’t open this workspace">
      <ErrorAlert failure={failure}>
        <Button color="inherit" variant="outlined" onClick={retry}>
          Try again
        </Button>
      </ErrorAlert>
    </AuthLayout>
  );
}

/** The address names a workspace that the user is not a member of, or that does not exist. */
function NoAccess() {
  const claims = useClaims();
  const isImpersonating = claims?.impersonator_id !== undefined;
  const leave = () => {
    if (isImpersonating) stopImpersonating();
    else void signOut();
  };
  return (
    <AuthLayout
      title="You don’t have access to this workspace"
      text={
        isImpersonating
          ? `You’re impersonating ${claims?.email} in another workspace. To open this one, stop impersonating first.`
          : `You’re signed in as ${claims?.email}, who is not a member. The link may be wrong, or the workspace was ` +
            'deleted. Ask a teammate for an invitation, or sign in with another account.'
      }
    >
      <Stack spacing={1}>
        <ButtonLink to="/">{claims?.tenant_id ? 'Go to your workspace' : 'Continue to Tenantry'}</ButtonLink>
        <Button color="inherit" onClick={leave}>
          {isImpersonating ? 'Stop impersonating' : 'Sign in with another account'}
        </Button>
      </Stack>
    </AuthLayout>
  );
}
