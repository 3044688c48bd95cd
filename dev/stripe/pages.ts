import express, { Router, type RequestHandler } from 'express';
import { dashboardPages } from './dashboard-pages';
import { customerPages } from './customer-pages';
import { invoicePages } from './invoice-pages';
import type { PageContext } from './page-views';

/**
 * The pages of the stand-in: checkout, billing portal and the dashboard at /.
 */
export function standInPages(context: PageContext): Router {
  const pages = Router();
  pages.use((_request, _response, next) => {
    context.lifecycle.runDue();
    next();
  });
  pages.get('/_control/calls', (_request, response) => response.json(Object.fromEntries(context.processor.calls)));
  pages.use(
    express.urlencoded({ extended: false }),
    refuseOtherSites,
    customerPages(context),
    invoicePages(context),
    dashboardPages(context),
  );
  return pages;
}

/** Rejects forms that another site submits, in local mode too. */
const refuseOtherSites: RequestHandler = (request, response, next) => {
  const origin = request.get('origin');
  const isOwn = origin === undefined || (URL.canParse(origin) && new URL(origin).host === request.get('host'));
  if (request.method === 'POST' && !isOwn)
    response.status(403).type('text').send('This request came from another site.');
  else next();
};
