import { setTimeout as pause } from 'node:timers/promises';
import { Router } from 'express';
import { CHANCES, dashboardView, type PageContext } from './page-views';
import { renderPage } from './page-renderer';

/** Time for deliveries to arrive before the page is shown again. */
const DELIVERY_MS = 300;

type Fields = Partial<Record<string, string>>;

const MAX_DAYS = 400;

/** The dashboard at /: the clock, all objects, the deliveries and their faults. */
export function dashboardPages(context: PageContext): Router {
  const pages = Router();
  pages.get('/', (_request, response) => renderPage(response, 'stripe-dashboard.html', dashboardView(context)));
  pages.post('/', async (request, response) => {
    await act(context, (request.body ?? {}) as Fields);
    await pause(DELIVERY_MS);
    response.redirect(303, '/');
  });
  return pages;
}

async function act({ processor, state, deliveries, actions }: PageContext, fields: Fields): Promise<void> {
  switch (fields.action ?? '') {
    case 'advance': {
      if (fields.days === 'month') return processor.advance(secondsOfMonth(processor.now()));
      const days = Number(fields.days);
      if (days > 0 && days <= MAX_DAYS) await processor.advance(Math.round(days * 86_400));
      return;
    }
    case 'redeliver': {
      const event = state.events.get(fields.event ?? '');
      if (event && deliveries.address !== undefined) await deliveries.redeliver(event);
      return;
    }
    case 'card': {
      const customer = state.customers.get(fields.customer ?? '');
      if (customer) actions.useCard(customer, fields.card === 'declining' ? 'declining' : 'good');
      return;
    }
    case 'chaos': {
      const { chaos } = processor;
      for (const [name] of CHANCES) chaos[name] = Math.min(1, Math.max(0, Number(fields[name]) || 0));
      chaos.maxDelayMs = Math.max(0, Number(fields.maxDelayMs) || 0);
      chaos.apiVersion = fields.isOld === undefined ? undefined : 'old';
    }
  }
}

/** Seconds until the same day of the next month. */
function secondsOfMonth(now: Date): number {
  const later = new Date(now);
  later.setUTCMonth(later.getUTCMonth() + 1);
  return (later.getTime() - now.getTime()) / 1000;
}
