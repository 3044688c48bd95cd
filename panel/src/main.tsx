import createCache from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { Panel } from './panel';

// Styles are made here, and the content policy takes only those that carry the page's nonce.
const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce;
const styles = createCache({ key: 'css', prepend: true, nonce });

createRoot(document.getElementById('root')!).render(
  <CacheProvider value={styles}>
    <BrowserRouter basename="/admin">
      <Panel />
    </BrowserRouter>
  </CacheProvider>,
);
