import { Button, Card, Stack, Typography } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { unwrap } from '@tenantry/client';
import { api } from '../api';
import { Loading } from '../components/loading';
import { CenteredPage } from './centered-page';
import { SecondFactorNeeded } from './second-factor-needed';
import { useSignOut } from './use-sign-out';

/** The page for users who are signed in and not operators, or not yet. */
export const Forbidden = ({ email }: { email: string }) => {
  const signOut = useSignOut();
  const { data: factors, isPending } = useQuery({
    queryKey: ['factors', email],
    queryFn: async () => unwrap(await api.GET('/auth/factors')),
    gcTime: 0,
    retry: false,
  });
  if (factors?.isRequired) return <SecondFactorNeeded email={email} hasApp={factors.totp !== null} />;
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
