import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { RequestHandler } from 'express';
import staticFiles from 'express-static-gzip';
import type { Settings } from '../../config/settings';

/** Where the build puts the pages: beside the compiled sources. */
export const STATIC_APPS = join(__dirname, '..', '..', '..', 'pages');

/**
 * Placeholders that the build leaves: the nonce, new for each response, and settings for the page.
 */
const NONCE = '__NONCE__';
const FRONTEND_URL = '__FRONTEND_URL__';

/**
 * Serves a single-page application below a path: precompressed files, cached permanently because
 * their names contain a hash, and the page for every other path. Without a build (tests, `nest
 * start`) nothing is served.
 * @param folder holds index.html and assets/
 */
export function serveStaticApp(
  app: Pick<NestExpressApplication, 'use'>,
  at: string,
  folder: string,
  { frontendUrl }: Settings,
): void {
  const file = join(folder, 'index.html');
  if (!existsSync(file)) return;
  const assets = staticFiles(join(folder, 'assets'), {
    enableBrotli: true,
    index: false,
    serveStatic: { immutable: true, maxAge: '1y' },
  }) as RequestHandler;
  const isNone: RequestHandler = (_request, response) => {
    response.sendStatus(404);
  };
  app.use(`${at}/assets`, assets, isNone);
  const page: RequestHandler = (request, response, next) => {
    if (!['GET', 'HEAD'].includes(request.method)) return next();
    const nonce = randomBytes(16).toString('base64');
    const html = readFileSync(file, 'utf8')
      .replaceAll(NONCE, nonce)
      .replaceAll(FRONTEND_URL, () => encodeURI(frontendUrl));
    response
      .set({ 'Content-Security-Policy': policyWith(nonce), 'Cache-Control': 'no-store' })
      .type('html')
      .send(html);
  };
  app.use(at, page);
}

/**
 * Only own scripts. Styles created by the page's script carry the nonce. Profile pictures come from
 * the providers.
 */
function policyWith(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: https:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
