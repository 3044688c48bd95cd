import GitHub from '@mui/icons-material/GitHub';
import Google from '@mui/icons-material/Google';
import { Button, Stack } from '@mui/material';
import { api } from '../session';
import { saveReturnPath, useReturnPath } from './return-path';

/** Signing in at another service: the browser goes there, and comes back with a session. */
export function ProviderButtons() {
  const to = useReturnPath();
  return (
    <Stack spacing={1}>
      <Button
        variant="outlined"
        color="inherit"
        startIcon={<Google />}
        href={api.signInUrl('google')}
        onClick={() => saveReturnPath(to)}
      >
        Continue with Google
      </Button>
      <Button
        variant="outlined"
        color="inherit"
        startIcon={<GitHub />}
        href={api.signInUrl('github')}
        onClick={() => saveReturnPath(to)}
      >
        Continue with GitHub
      </Button>
    </Stack>
  );
}
