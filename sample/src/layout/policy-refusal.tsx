import { Button } from '@mui/material';
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { unwrap, type Failure } from '@tenantry/client';
import { useState } from 'react';
import { api, signOut } from '../session';
import { AuthLayout } from '../sign-in/auth-layout';
import { ButtonLink } from '../sign-in/button-link';
import { stepUpQuestion } from '../step-up/step-up-question';
import { StepUpHost } from '../step-up/step-up-host';
import { LoadingScreen } from './loading-screen';

/** What a workspace asks before it opens, by error code. */
const REFUSALS: Readonly<Record<string, { readonly title: string; readonly text: string }>> = {
  SECOND_FACTOR_REQUIRED: {
    title: 'This workspace requires a second factor',
    text: 'Your account and your other workspaces stay as they are.',
  },
  SESSION_TOO_OLD: {
    title: 'Sign in again to open this workspace',
    text: 'You signed in longer ago than this workspace allows.',
  },
  SIGN_IN_METHOD_NOT_ALLOWED: {
    title: 'Sign in another way to open this workspace',
    text: 'This workspace doesn’t allow the sign-in method that you used.',
  },
};

/** Whether the sign-in policy of a workspace refused to open it. */
export const isPolicyRefusal = ({ code }: Failure): boolean => code in REFUSALS;

/** Says what the sign-in policy of a workspace asks for, and how to go on. */
export function PolicyRefusal({ failure: { code }, retry }: { failure: Failure; retry: () => void }) {
  const [queries] = useState(() => new QueryClient());
  return (
    <AuthLayout {...REFUSALS[code]}>
      {code === 'SECOND_FACTOR_REQUIRED' ? (
        <QueryClientProvider client={queries}>
          <NextStep retry={retry} />
          <StepUpHost />
        </QueryClientProvider>
      ) : (
        <Button variant="contained" fullWidth onClick={logOut}>
          Sign in again
        </Button>
      )}
    </AuthLayout>
  );
}

const logOut = () => {
  void signOut();
};

/** Adds a second factor, or proves the one that the account has in this session. */
function NextStep({ retry }: { retry: () => void }) {
  const factors = useQuery({ queryKey: ['factors'], queryFn: async () => unwrap(await api.GET('/auth/factors')) });
  const confirm = async () => {
    if (await stepUpQuestion.ask()) retry();
  };
  if (factors.isPending) return <LoadingScreen />;
  if (!factors.data?.totp) return <ButtonLink to="/account/security">Add an authenticator app</ButtonLink>;
  return (
    <Button
      variant="contained"
      fullWidth
      onClick={() => {
        void confirm();
      }}
    >
      Confirm that it is you
    </Button>
  );
}
