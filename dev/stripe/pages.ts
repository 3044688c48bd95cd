import express, { Router, type RequestHandler } from 'express';
import { dashboardPages } from './dashboard-pages';
import { customerPages } from './customer-pages';
import type { PageContext } from './page-views';

/**
 * What people see of the stand-in: the page where they pay, the billing portal, and at / all it
 * knows.
 */
export function standInPages(context: PageContext): Router {
  const pages = Router();
  pages.use((_request, _response, next) => {
    context.lifecycle.runDue();
    next();
  });
  pages.get('/_control/calls', (_request, response) => response.json(Object.fromEntries(context.processor.calls)));
  pages.use(express.urlencoded({ extended: false }), refuseOtherSites, customerPages(context), dashboardPages(context));
  return pages;
}

/** Another site's form must not press buttons here, not even in local mode. */
const refuseOtherSites: RequestHandler = (request, response, next) => {
  const origin = request.get('origin');
  const isOwn = origin === undefined || (URL.canParse(origin) && new URL(origin).host === request.get('host'));
  if (request.method === 'POST' && !isOwn) response.status(403).type('text').send('This came from another site.');
  else next();
};
