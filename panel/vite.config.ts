import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compression } from 'vite-plugin-compression2';

const SERVICE = 'http://localhost:3000';

/**
 * Built into the service's dist, which serves it at /admin with a nonce in place of the
 * placeholder; `npm run dev` here talks to a service that runs.
 */
export default defineConfig({
  base: '/admin/',
  plugins: [react(), compression({ algorithms: ['gzip', 'brotliCompress'], include: /assets\/.*\.(js|css|svg)$/ })],
  html: { cspNonce: '__NONCE__' },
  build: { outDir: '../dist/pages/admin', emptyOutDir: true, assetsInlineLimit: 0, chunkSizeWarningLimit: 1500 },
  // The service trusts the cookie of its own pages only: to it, this page is one.
  server: { proxy: { '/api': { target: SERVICE, headers: { origin: SERVICE } } } },
});
