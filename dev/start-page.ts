import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { RequestHandler } from 'express';
import { DEMO_PASSWORD, DEMO_USERS } from './demo-users';

/** A part of local mode with a page of its own. */
export interface Place {
  readonly name: string;
  readonly url: string;
  readonly about: string;
}

/** The page at / of local mode: what is running where, and the demo users. */
export function serveStartPage(app: NestExpressApplication, places: readonly Place[]): void {
  const page: RequestHandler = (request, response, next) => {
    if (request.path !== '/') return next();
    const nonce = randomBytes(16).toString('base64');
    const html = readFileSync(join(process.cwd(), 'dev', 'pages', 'start.html'), 'utf8')
      .replaceAll('{{nonce}}', nonce)
      .replace('{{places}}', places.map(cardOf).join(''))
      .replace('{{logins}}', DEMO_USERS.map(loginOf).join(''));
    const policy =
      `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; ` +
      `img-src data:; base-uri 'none'; frame-ancestors 'none'`;
    response.set({ 'Content-Security-Policy': policy, 'Cache-Control': 'no-store' }).type('html').send(html);
  };
  app.use(page);
}

const cardOf = ({ name, url, about }: Place) =>
  `<a href="${url}" target="_blank"><strong>${name}</strong><span>${about}</span><small>${url}</small></a>`;

const loginOf = ({ email, role }: (typeof DEMO_USERS)[number]) =>
  `<div class="login"><button type="button" aria-label="Copy ${email}">${email}</button>` +
  `<button type="button" aria-label="Copy ${DEMO_PASSWORD}, the password of ${email}">${DEMO_PASSWORD}</button>` +
  `<span>${role.replaceAll('"', '&quot;')}</span></div>`;
