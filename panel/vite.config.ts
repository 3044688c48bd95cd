import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compression } from 'vite-plugin-compression2';

const SERVICE = 'http://localhost:3000';

/**
 * Builds into the service's dist. The service serves it at /admin and replaces the nonce's
 * placeholder. `npm run dev` in this folder uses a running service.
 */
export default defineConfig({
  base: '/admin/',
  plugins: [react(), compression({ algorithms: ['gzip', 'brotliCompress'], include: /assets\/.*\.(js|css|svg)$/ })],
  html: { cspNonce: '__NONCE__' },
  build: { outDir: '../dist/pages/admin', emptyOutDir: true, assetsInlineLimit: 0, chunkSizeWarningLimit: 1500 },
  // The service accepts the session cookie only from its own origin.
  server: { proxy: { '/api': { target: SERVICE, headers: { origin: SERVICE } } } },
});
