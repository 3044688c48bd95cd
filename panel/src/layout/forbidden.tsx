import { Button, Card, Stack, Typography } from '@mui/material';
import { useSignOut } from './use-sign-out';
import { CenteredPage } from './centered-page';

/** The page for users who are signed in and not operators. */
export const Forbidden = ({ email }: { email: string }) => {
  const signOut = useSignOut();
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
