import { CssBaseline } from '@mui/material';
import Box from '@mui/material/Box';
import { useEffect, useSyncExternalStore, type ReactNode } from 'react';
import { Layout, useLogout } from 'react-admin';
import { api } from '../session';
import { Bar } from './bar';
import { Broken } from './broken';
import { Menu } from './menu';
import { Owned } from './owned';
import { Stranger } from './stranger';

/**
 * What is around every page: bar and menu, for operators; others are told that this is not for
 * them.
 */
export const Frame = ({ children }: { children: ReactNode }) => {
  const claims = useSyncExternalStore(api.session.subscribe, api.session.claims);
  useSignOutElsewhere();
  if (claims && !claims.is_admin) return <Stranger email={claims.email} />;
  return (
    <Owned>
      <CssBaseline enableColorScheme />
      <Layout appBar={Bar} appBarAlwaysOn menu={Menu} error={Broken}>
        <Box
          sx={{
            p: { xs: 2, md: 3 },
            pt: { xs: 2, md: 3 },
            width: '100%',
            maxWidth: 1440,
            mx: 'auto',
            boxSizing: 'border-box',
          }}
        >
          {children}
        </Box>
      </Layout>
    </Owned>
  );
};

/** When the session ends, in another tab or at the service, nothing of it stays on the screen. */
function useSignOutElsewhere(): void {
  const logout = useLogout();
  useEffect(
    () =>
      api.session.subscribe(() => {
        if (!api.session.claims()) void logout();
      }),
    [logout],
  );
}
