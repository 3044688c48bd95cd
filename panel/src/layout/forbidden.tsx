import { Button, Card, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { unwrap } from '@tenantry/client';
import { api } from '../api';
import { Loading } from '../components/loading';
import { EnrolmentPage } from '../enrolment/enrolment-page';
import { usableProofs } from '../step-up/usable-proofs';
import { CenteredPage } from './centered-page';
import { ConfirmationPage } from './confirmation-page';
import { useSignOut } from './use-sign-out';

interface ForbiddenProps {
  readonly email: string;
  /** Called with true if the page must stay although the user has become an operator. */
  readonly keepOpen: (isKept: boolean) => void;
}

/** The page for users who are signed in and not operators, or not yet. */
export const Forbidden = ({ email, keepOpen }: ForbiddenProps) => {
  const signOut = useSignOut();
  const { data: needed, isPending } = useQuery({
    queryKey: ['factors', email],
    queryFn: async () => {
      const [factors, stepUp] = await Promise.all([api.GET('/auth/factors'), api.GET('/auth/step-up')]);
      return unwrap(factors).isRequired ? usableProofs(unwrap(stepUp).methods) : null;
    },
    gcTime: 0,
    staleTime: Infinity, // the page must not change while a user sets the second factor up
    retry: false,
  });
  if (needed) {
    const canConfirm = needed.some((proof) => proof !== 'password');
    return canConfirm ? <ConfirmationPage email={email} /> : <EnrolmentPage email={email} keepOpen={keepOpen} />;
  }
  if (isPending) {
    return (
      <CenteredPage>
        <Loading />
      </CenteredPage>
    );
  }
  return (
    <CenteredPage>
      <Card sx={{ p: 4, maxWidth: 460 }}>
        <Stack sx={{ gap: 2, alignItems: 'flex-start' }}>
          <Typography variant="h1">This panel is for operators</Typography>
          <Typography>
            You’re signed in as <strong>{email}</strong>, which is not an operator account. Ask an operator for access,
            or sign in with another account.
          </Typography>
          <Typography>
            If you were given access: sign in with an email link, or reset your password. A password that was set before
            the email was verified is not accepted here.
          </Typography>
          <Button variant="contained" size="medium" onClick={signOut}>
            Sign out
          </Button>
        </Stack>
      </Card>
    </CenteredPage>
  );
};
