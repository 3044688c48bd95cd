import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import type { MailInbox } from './mail-inbox';

/** The mail inbox: a page at /, its mails as JSON at /mails.json. */
export async function serveInbox(inbox: MailInbox, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    if (path === '/mails.json') {
      const page = inbox.mails.slice(-100).reverse();
      return void response.setHeader('Content-Type', 'application/json').end(JSON.stringify(page));
    }
    response.statusCode = path === '/' ? 200 : 404;
    const html =
      path === '/' ? readFileSync(join(process.cwd(), 'dev', 'pages', 'inbox.html'), 'utf8') : 'There is nothing here.';
    response.setHeader('Content-Type', 'text/html; charset=utf-8').end(html);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  return server;
}
