import { createServer, type Server } from 'node:http';
import type { MailInbox } from './mail-inbox';
import { mailPage } from './mail-page';

/** More than this would be slow to show. */
const SHOWN = 100;

/**
 * The email inbox: a page at /, its emails as JSON at /mails.json, which DELETE empties.
 * @param galleryUrl the address of the email gallery
 */
export async function serveInbox(inbox: MailInbox, port: number, galleryUrl: string): Promise<Server> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    if (path === '/mails.json') {
      if (request.method === 'DELETE') inbox.clear();
      const newest = inbox.mails.slice(-SHOWN).reverse();
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(newest));
      return;
    }
    response.statusCode = path === '/' ? 200 : 404;
    const html = path === '/' ? mailPage('inbox.html').replace('{{gallery}}', galleryUrl) : 'Not found.';
    response.setHeader('Content-Type', 'text/html; charset=utf-8').end(html);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  return server;
}
