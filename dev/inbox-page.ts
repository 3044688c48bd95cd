import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import type { MailInbox } from './mail-inbox';

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
    const page = () => readFileSync(join(process.cwd(), 'dev', 'pages', 'inbox.html'), 'utf8');
    const html = path === '/' ? page().replace('{{gallery}}', galleryUrl) : 'Not found.';
    response.setHeader('Content-Type', 'text/html; charset=utf-8').end(html);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  return server;
}
