import createCache from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import { takeFragment, type FragmentParams } from '@tenantry/client';
import { CssBaseline } from '@mui/material';
import { ThemeProvider } from '@mui/material/styles';
import { createRoot } from 'react-dom/client';
import { App } from './app';
import { LoadingScreen, Unreachable } from './layout/loading-screen';
import { api } from './session';
import { takeReturnPath } from './sign-in/return-path';
import { secondFactorPath, signInTicket } from './sign-in/sign-in-ticket';
import { theme } from './theme';
import { workspaceIn } from './workspace-path';

// Before anything else reads the address: the fragment carries secrets, which are kept in this
// variable only.
const fragment = takeFragment();
const path = pathFor(fragment);
if (path) history.replaceState(null, '', `/app${path}`);
// An emailed link that is opened in a tab of this page only changes the fragment: load it.
window.addEventListener(
  'hashchange',
  () => /[#&](token|error|accessToken|secondFactorTicket)=/.test(location.hash) && location.reload(),
);

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

/** The page to show instead of the one in the address, after a redirect of the service. */
function pathFor({ error, accessToken, secondFactor }: FragmentParams): string | undefined {
  if (error) return '/refused';
  if (accessToken) return takeReturnPath();
  if (!secondFactor) return undefined;
  signInTicket.write(secondFactor);
  return secondFactorPath(takeReturnPath() ?? '/');
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
