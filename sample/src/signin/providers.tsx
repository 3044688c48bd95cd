import GitHub from '@mui/icons-material/GitHub';
import Google from '@mui/icons-material/Google';
import { Button, Stack } from '@mui/material';
import { api } from '../session';
import { keepReturn, useReturn } from './return';

/** Signing in at another service: the browser goes there, and comes back with a session. */
export function Providers() {
  const to = useReturn();
  return (
    <Stack spacing={1}>
      <Button
        variant="outlined"
        color="inherit"
        startIcon={<Google />}
        href={api.signInUrl('google')}
        onClick={() => keepReturn(to)}
      >
        Continue with Google
      </Button>
      <Button
        variant="outlined"
        color="inherit"
        startIcon={<GitHub />}
        href={api.signInUrl('github')}
        onClick={() => keepReturn(to)}
      >
        Continue with GitHub
      </Button>
    </Stack>
  );
}
