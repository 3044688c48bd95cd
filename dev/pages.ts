import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import type { MailInbox } from './mail-inbox';

const read = (name: string) => readFileSync(join(process.cwd(), 'dev', 'pages', name), 'utf8');

/**
 * The pages of local mode: the mail inbox at /, its mails as JSON at /mails.json, and at /app a stand-in for the web client, where links
 * from mails lead.
 * @param baseUrl where the service is, for the stand-in's calls
 */
export async function servePages(inbox: MailInbox, port: number, baseUrl: () => string): Promise<Server> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    if (path === '/mails.json') {
      const page = inbox.mails.slice(-100).reverse();
      return void response.setHeader('Content-Type', 'application/json').end(JSON.stringify(page));
    }
    const html = path === '/' ? read('inbox.html') : path.startsWith('/app') ? read('app.html').replace('{{baseUrl}}', baseUrl()) : undefined;
    response.statusCode = html ? 200 : 404;
    response.setHeader('Content-Type', 'text/html; charset=utf-8').end(html ?? 'There is nothing here.');
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  return server;
}
