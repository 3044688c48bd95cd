import type { Request, Response } from 'express';
import { isNavigation } from './redirect';

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>Page not found</title>
  </head>
  <body>
    <h1>Page not found</h1>
    <p>There is no page at this address.</p>
  </body>
</html>
`;

/** Whether a 404 is shown as a page: a browser navigates to an address outside the API. */
export const needsNotFoundPage = (request: Request): boolean =>
  request.method === 'GET' && !request.path.startsWith('/api/') && isNavigation(request);

/** Sends a small page in place of the JSON envelope. */
export function sendNotFoundPage(response: Response): void {
  response.status(404).type('html').send(PAGE);
}

/** Browsers ask every site for an icon; the service has none at its root. */
export function answerFavicon(_request: Request, response: Response): void {
  response.status(204).setHeader('Cache-Control', 'public, max-age=86400').end();
}
