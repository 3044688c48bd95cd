import createCache from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { loadPage } from './lazy-pages';
import { Panel } from './panel';
import { api } from './api';

// Styles are made here, and the content policy takes only those that carry the page's nonce.
const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce;
const styles = createCache({ key: 'css', prepend: true, nonce });

const BASE = '/admin';
const root = createRoot(document.getElementById('root')!);

/**
 * Whoever is signed in gets the session and the page at the same time; shown is what then stands.
 */
async function start(): Promise<void> {
  const asked = location.pathname.slice(BASE.length) || '/';
  // What cannot be loaded now, the page itself says when it tries.
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
