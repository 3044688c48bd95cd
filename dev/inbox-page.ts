import { createServer, type Server } from 'node:http';
import express from 'express';
import { refuseForeignHosts } from './loopback-host';
import { catcherPage } from './catcher-page';
import type { MailInbox } from './mail-inbox';
import { mailPage } from './mail-page';
import type { WebhookCatcher } from './webhook-catcher';

/** More than this would be slow to show. */
const SHOWN = 100;

/** What the server of the inbox shows. */
interface InboxParts {
  readonly inbox: MailInbox;
  readonly catcher: WebhookCatcher;
  /** The address of the email gallery. */
  readonly galleryUrl: string;
}

/**
 * The email inbox: a page at /, its emails as JSON at /mails.json, which DELETE empties. Beside it
 * is the webhook catcher at /webhooks.
 */
export async function serveInbox({ inbox, catcher, galleryUrl }: InboxParts, port: number): Promise<Server> {
  const app = express().disable('x-powered-by').use(refuseForeignHosts);
  app.get('/', (_request, response) => {
    response.type('html').send(mailPage('inbox.html').replace('{{gallery}}', galleryUrl));
  });
  app.all('/mails.json', (request, response) => {
    if (request.method === 'DELETE') inbox.clear();
    response.json(inbox.mails.slice(-SHOWN).reverse());
  });
  app.use(catcherPage(catcher));
  const server = createServer(app);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  return server;
}
