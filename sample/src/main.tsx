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

// Before anything looks at the address: what the fragment carries is a secret, and is kept in this
// variable only.
const told = takeFragment();
const place = told.error ? '/refused' : told.accessToken ? takeReturnPath() : undefined;
if (place) history.replaceState(null, '', `/app${place}`);
// A mailed link that is opened where its page is open already changes the fragment, and loads
// nothing.
window.addEventListener('hashchange', () => /[#&](token|error|accessToken)=/.test(location.hash) && location.reload());

// The content policy allows no styles but those with the nonce of this very page.
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

/**
 * Goes on where this browser left off; that the service cannot be reached is no reason to show a
 * sign-in page.
 */
async function start(): Promise<void> {
  show(<LoadingScreen />);
  await api.session.restore(told);
  const session = await api.session.token();
  show(session.ok ? <App told={told} /> : <Unreachable failure={session.error} retry={() => void start()} />);
}

void start();
