import type { RequestHandler } from 'express';

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/**
 * Refuses requests to any other name than that of this machine: a page in the developer's browser
 * can bind its own name to 127.0.0.1, and would read emailed links (DNS rebinding).
 */
export const refuseForeignHosts: RequestHandler = (request, response, next) => {
  if (LOOPBACK.test(request.headers.host ?? '')) return next();
  response.status(421).type('text').send('Open this address as localhost or 127.0.0.1.\n');
};
