import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { RequestHandler } from 'express';
import { MailDefinition } from '../src/platform/mail/mail-definition';
import { MailRenderer } from '../src/platform/mail/mail-renderer';
import { mailPage } from './mail-page';

const SOURCES = join(__dirname, '..', 'src');

type AnyMail = MailDefinition<object>;

/** Every kind of mail: the definitions that the `*.mail.ts` files of the modules export. */
export async function findMails(): Promise<AnyMail[]> {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.mail\.[jt]s$/.test(name),
  );
  const mails: AnyMail[] = [];
  for (const file of files.sort()) {
    const exported = (await import(join(SOURCES, file))) as Record<string, object>;
    const values = Object.values(exported).flatMap((value) => [value, ...(Object.values(value) as unknown[])]);
    mails.push(...values.filter((value): value is AnyMail => value instanceof MailDefinition));
  }
  return mails;
}

/** The pages at /mails: the gallery, and each example as HTML at /mails/<template>/<number>. */
export function serveMailGallery(app: NestExpressApplication): void {
  const gallery: RequestHandler = (request, response, next) => {
    const show = request.path === '/' ? galleryPage() : examplePage(request.path.slice(1));
    show.then((page) => {
      if (!page) return next();
      response.removeHeader('Origin-Agent-Cluster'); // Chromium warns of it in a sandboxed frame
      response
        .set({ 'Content-Security-Policy': page.policy, 'Cache-Control': 'no-store' })
        .type('html')
        .send(page.html);
    }, next);
  };
  app.use('/mails', gallery);
}

interface GalleryPage {
  readonly html: string;
  readonly policy: string;
}

/** The list of all mails with their text parts. A new renderer shows templates as they are now. */
async function galleryPage(): Promise<GalleryPage> {
  const renderer = new MailRenderer();
  const mails = (await findMails()).map((mail) => ({
    template: mail.template,
    examples: mail.examples().map(({ description, mail: example }) => {
      const { subject, text } = renderer.render(example);
      return { description, subject, text };
    }),
  }));
  const nonce = randomBytes(16).toString('base64');
  const html = mailPage('mails.html', nonce).replace('{{mails}}', () =>
    JSON.stringify(mails).replaceAll('<', '\\u003c'),
  );
  const policy =
    `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; ` +
    `img-src data:; frame-src 'self'; base-uri 'none'; frame-ancestors 'none'`;
  return { html, policy };
}

/** @param path the template and the number of the example, such as auth/mails/magic-link/0 */
async function examplePage(path: string): Promise<GalleryPage | undefined> {
  const [, template, number] = /^(.+)\/(\d+)$/.exec(path) ?? [];
  const example = (await findMails()).find((mail) => mail.template === template)?.examples()[Number(number)];
  if (!example) return undefined;
  const html = new MailRenderer().render(example.mail).html.replace('<head>', '<head><base target="_blank">');
  const policy =
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; " +
    'sandbox allow-popups allow-popups-to-escape-sandbox';
  return { html, policy };
}
