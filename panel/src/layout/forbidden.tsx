import { Button, Card, CssBaseline, Stack, Typography } from '@mui/material';
import { useSignOut } from './use-sign-out';

/** For somebody who is signed in and no operator. */
export const Forbidden = ({ email }: { email: string }) => {
  const signOut = useSignOut();
  return (
    <Stack
      component="main"
      sx={{
        minHeight: '100dvh',
        alignItems: 'center',
        justifyContent: 'center',
        p: 2,
        backgroundColor: 'background.default',
      }}
    >
      <CssBaseline enableColorScheme />
      <Card sx={{ p: 4, maxWidth: 460 }}>
        <Stack sx={{ gap: 2, alignItems: 'flex-start' }}>
          <Typography variant="h1">This panel is for operators</Typography>
          <Typography>
            You are signed in as <strong>{email}</strong>, an account without operator rights. Ask an operator to grant
            them, or sign in with another account.
          </Typography>
          <Typography>
            If you have been granted them: sign in by a link from your mailbox, or set a new password. A password that
            was chosen before the address was verified does not count.
          </Typography>
          <Button variant="contained" size="medium" onClick={signOut}>
            Sign out
          </Button>
        </Stack>
      </Card>
    </Stack>
  );
};
