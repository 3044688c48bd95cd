import createCache from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { loadPage } from './lazy-pages';
import { Panel } from './panel';
import { api } from './api';

// The content security policy allows only styles with the nonce of the page.
const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce;
const styles = createCache({ key: 'css', prepend: true, nonce });

const BASE = '/admin';
const root = createRoot(document.getElementById('root')!);

/** Restores the session and loads the page's script at the same time, then renders. */
async function start(): Promise<void> {
  const asked = location.pathname.slice(BASE.length) || '/';
  // A failure is shown by the page, which tries again.
  await Promise.allSettled(api.session.mayBeSignedIn() ? [api.session.restore(), loadPage(asked)] : []);
  root.render(
    <CacheProvider value={styles}>
      <BrowserRouter basename={BASE}>
        <Panel />
      </BrowserRouter>
    </CacheProvider>,
  );
}

void start();
