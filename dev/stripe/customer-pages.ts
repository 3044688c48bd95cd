import { Router, type Response } from 'express';
import { customerView, sessionView, type PageContext } from './page-views';
import { errorMessageOf, renderPage } from './page-renderer';
import type { CustomerDetails } from './checkout';
import type { Card, PortalRecord, SessionRecord } from './records';

type Fields = Partial<Record<string, string>>;

/** The cards behind the buttons of the checkout; null: none. */
const CARDS: Readonly<Record<string, Card | null | undefined>> = {
  pay: 'good',
  'pay-failing': 'declining',
  'no-card': null,
};

/** The pages to which customers are redirected: checkout and billing portal. */
export function customerPages(context: PageContext): Router {
  const pages = Router();
  const { state, checkout } = context;

  pages.get('/pay/:id', (request, response) => showSession(context, response, state.sessions.get(request.params.id)));
  pages.post('/pay/:id', (request, response) => {
    const session = state.sessions.get(request.params.id);
    const { action, code } = (request.body ?? {}) as Fields;
    if (session && action === 'back' && session.cancelUrl) return response.redirect(303, session.cancelUrl);
    const card = CARDS[action ?? ''];
    const details = detailsOf((request.body ?? {}) as Fields);
    if (session && card !== undefined && errorMessageOf(() => checkout.pay(session, card, details)) === undefined) {
      return response.redirect(303, checkout.returnAddress(session));
    }
    if (session && action === 'code') {
      const refusal = errorMessageOf(() => checkout.applyCode(session, code ?? ''));
      return showSession(context, response.status(refusal === undefined ? 200 : 400), session, refusal);
    }
    const isDeclined = session !== undefined && action === 'decline' && checkout.problemWith(session) === undefined;
    return showSession(
      context,
      response.status(isDeclined ? 402 : 400),
      session,
      isDeclined ? 'Your card was declined.' : undefined,
    );
  });

  pages.get('/portal/:id', (request, response) => showPortal(context, response, state.portals.get(request.params.id)));
  pages.post('/portal/:id', (request, response) => {
    const visit = state.portals.get(request.params.id);
    if (!visit) return showPortal(context, response, undefined);
    const refusal = errorMessageOf(() => actOnPortal(context, visit, (request.body ?? {}) as Fields));
    if (refusal === undefined) return response.redirect(303, `/portal/${visit.id}`);
    return showPortal(context, response.status(400), visit, refusal);
  });
  return pages;
}

/** The address and the tax id that a customer entered. */
function detailsOf({ country, line1, postalCode, city, taxId }: Fields): CustomerDetails {
  const value = taxId?.replace(/\s/g, '').toUpperCase();
  const type = value?.startsWith('GB') ? 'gb_vat' : value && /^[A-Z]{2}/.test(value) ? 'eu_vat' : 'us_ein';
  return {
    ...(country && {
      address: {
        country: country.toUpperCase(),
        line1: line1 || null,
        postalCode: postalCode || null,
        city: city || null,
      },
    }),
    ...(value && { taxIds: [{ type, value }] }),
  };
}

function showSession(
  context: PageContext,
  response: Response,
  session: SessionRecord | undefined,
  declined?: string,
): Promise<void> {
  if (session) return renderPage(response, 'stripe-pay.html', { session: sessionView(context, session), declined });
  return renderPage(response.status(404), 'stripe-pay.html', {});
}

function showPortal(
  context: PageContext,
  response: Response,
  visit: PortalRecord | undefined,
  refusal?: string,
): Promise<void> {
  const customer = visit && context.state.customers.get(visit.customer);
  if (!customer || customer.isDeleted) return renderPage(response.status(404), 'stripe-portal.html', {});
  return renderPage(response, 'stripe-portal.html', {
    customer: customerView(context, customer),
    returnUrl: visit.returnUrl,
    refusal,
  });
}

function actOnPortal(
  { state, actions }: PageContext,
  visit: PortalRecord,
  { action = '', subscription: id = '', price, quantity = '', card }: Fields,
): void {
  if (action === 'card')
    return actions.useCard(state.customers.get(visit.customer)!, card === 'declining' ? 'declining' : 'good');
  const subscription = state.subscriptions.get(id);
  if (subscription?.customer !== visit.customer) return; // unknown, or of another customer: the page is shown again
  switch (action) {
    case 'plan':
      if (price !== undefined && state.prices.get(price)?.interval) actions.change(subscription, { price });
      return;
    case 'quantity':
      if (/^[1-9]\d{0,5}$/.test(quantity)) actions.change(subscription, { quantity: Number(quantity) });
      return;
    case 'cancel-at-period-end':
      return actions.cancelAtPeriodEnd(subscription);
    case 'cancel-now':
      return actions.cancelNow(subscription);
    case 'pause':
      return actions.pause(subscription);
    case 'pause-collection':
      return actions.change(subscription, { pauseCollection: { behavior: 'void', resumesAt: null } });
    case 'resume':
      return actions.resume(subscription);
  }
}
