import { CssBaseline } from '@mui/material';
import Box from '@mui/material/Box';
import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react';
import { Layout, useLogout } from 'react-admin';
import { api } from '../api';
import { ReconnectingNotice } from './reconnecting-notice';
import { TopBar } from './top-bar';
import { ErrorPage } from './error-page';
import { Navigation } from './navigation';
import { PerUserQueryClient } from './per-user-query-client';
import { Forbidden } from './forbidden';
import { StepUpHost } from '../step-up/step-up-host';

/** The layout of all pages, for operators; other users see that they have no access. */
export const PanelLayout = ({ children }: { children: ReactNode }) => {
  const claims = useSyncExternalStore(api.session.subscribe, api.session.claims);
  const [isKept, setIsKept] = useState(false);
  useSignOutElsewhere();
  if (claims && (!claims.is_admin || isKept)) return <Forbidden email={claims.email} keepOpen={setIsKept} />;
  return (
    <PerUserQueryClient>
      <CssBaseline enableColorScheme />
      <Layout appBar={TopBar} appBarAlwaysOn menu={Navigation} error={ErrorPage}>
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
          <ReconnectingNotice />
          {children}
        </Box>
      </Layout>
      <StepUpHost />
    </PerUserQueryClient>
  );
};

/** Shows the sign-in page when the session ends, such as in another tab. */
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
