import createCache from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import { takeFragment } from '@tenantry/client';
import { CssBaseline } from '@mui/material';
import { ThemeProvider } from '@mui/material/styles';
import { createRoot } from 'react-dom/client';
import { App } from './app';
import { LoadingScreen, Unreachable } from './layout/loading-screen';
import { api } from './session';
import { takeReturnPath } from './sign-in/return-path';
import { theme } from './theme';
import { workspaceIn } from './workspace-path';

// Before anything else reads the address: the fragment carries secrets, which are kept in this
// variable only.
const fragment = takeFragment();
const path = fragment.error ? '/refused' : fragment.accessToken ? takeReturnPath() : undefined;
if (path) history.replaceState(null, '', `/app${path}`);
// An emailed link that is opened in a tab of this page only changes the fragment: load it.
window.addEventListener('hashchange', () => /[#&](token|error|accessToken)=/.test(location.hash) && location.reload());

// The content security policy allows only styles with the nonce of this page.
const styles = createCache({ key: 'css', nonce: document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce });
const root = createRoot(document.getElementById('root')!);

function show(content: React.ReactNode): void {
  root.render(
    <CacheProvider value={styles}>
      <ThemeProvider theme={theme} storageManager={null}>
        <CssBaseline />
        {content}
      </ThemeProvider>
    </CacheProvider>,
  );
}

/** The workspace of this page, or of the link in an email that leads to it. */
const workspaceInAddress = () =>
  workspaceIn(location.pathname.replace(/^\/app/, '')) ??
  new URLSearchParams(location.search).get('tenant') ??
  undefined;

/** Restores the session. If the service can't be reached, the user is not asked to sign in. */
async function start(): Promise<void> {
  show(<LoadingScreen />);
  await api.session.restore(fragment, workspaceInAddress());
  const session = await api.session.token();
  show(
    session.ok ? (
      <App fragment={fragment} />
    ) : (
      <Unreachable
        failure={session.error}
        retry={() => {
          void start();
        }}
      />
    ),
  );
}

void start();
