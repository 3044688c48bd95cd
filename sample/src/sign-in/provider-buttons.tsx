import GitHub from '@mui/icons-material/GitHub';
import Google from '@mui/icons-material/Google';
import { Button, Stack } from '@mui/material';
import { api } from '../session';
import { saveReturnPath, useReturnPath } from './return-path';

const PROVIDERS = [
  { provider: 'google', name: 'Google', Icon: Google },
  { provider: 'github', name: 'GitHub', Icon: GitHub },
] as const;

/**
 * Links that sign in with a provider: the browser goes there and comes back with a session.
 * @param returnTo the page to open afterwards, where it is not that of the address
 */
export function ProviderButtons({ returnTo }: { returnTo?: string }) {
  const returnPath = useReturnPath();
  return (
    <Stack spacing={1}>
      {PROVIDERS.map(({ provider, name, Icon }) => (
        <Button
          key={provider}
          variant="outlined"
          color="inherit"
          startIcon={<Icon />}
          href={api.signInUrl(provider)}
          onClick={() => saveReturnPath(returnTo ?? returnPath)}
        >
          Continue with {name}
        </Button>
      ))}
    </Stack>
  );
}
