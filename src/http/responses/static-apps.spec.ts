import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import express from 'express';
import supertest from 'supertest';
import type { Settings } from '../../config/settings';
import { serveStaticApp } from './static-apps';

describe('a static app', () => {
  let folder: string;
  const settings = { frontendUrl: 'https://app.example.com/$&"><script>' } as Settings;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tenantry-pages-'));
    mkdirSync(join(folder, 'assets'));
    const page =
      '<meta name="frontend-url" content="__FRONTEND_URL__">' +
      '<script nonce="__NONCE__" ' +
      'src="/admin/assets/main-1.js"></script>';
    writeFileSync(join(folder, 'index.html'), page);
    writeFileSync(join(folder, 'secret.txt'), 'not for the web');
    writeFileSync(join(folder, 'assets', 'main-1.js'), 'console.log(1)');
    writeFileSync(join(folder, 'assets', 'main-1.js.br'), brotliCompressSync('console.log(1)'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const site = (from = folder) => {
    const app = express();
    serveStaticApp(app as never, '/admin', from, settings);
    app.use((_request, response) => {
      response.status(404).send('somewhere else');
    });
    return supertest(app);
  };

  it('is served at every path below its own, uncached, with a policy that allows only its own scripts', async () => {
    for (const path of ['/admin', '/admin/', '/admin/users/1', '/admin/secret.txt']) {
      const { headers, text } = await site().get(path).expect(200);
      const nonce = /nonce="([^"]{24})"/.exec(text)![1];
      expect(headers['content-security-policy']).toContain(
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'`,
      );
      expect(headers['content-security-policy']).not.toMatch(/unsafe|\*/);
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers['cache-control']).toBe('no-store');
      expect(text).not.toContain('not for the web');
    }
  });

  it('has a new nonce per response and escapes injected settings', async () => {
    const [one, other] = [await site().get('/admin'), await site().get('/admin')];
    expect(one.headers['content-security-policy']).not.toBe(other.headers['content-security-policy']);
    expect(one.text).toContain('content="https://app.example.com/$&%22%3E%3Cscript%3E"');
  });

  it('has precompressed files that browsers cache permanently; a missing file is 404, not the page', async () => {
    const { headers, text } = await site().get('/admin/assets/main-1.js').set('Accept-Encoding', 'br').expect(200);
    expect(headers).toMatchObject({ 'content-encoding': 'br', 'cache-control': 'public, max-age=31536000, immutable' });
    expect(text).toBe('console.log(1)');
    await site().get('/admin/assets/main-0.js').expect(404);
    await site().get('/admin/assets/%2e%2e/secret.txt').expect(404);
  });

  it('is not served for other methods or paths, or without a build', async () => {
    await site().post('/admin').expect(404, 'somewhere else');
    await site().get('/administrator').expect(404, 'somewhere else');
    await site(join(folder, 'nothing')).get('/admin').expect(404, 'somewhere else');
  });
});
