import type Stripe from 'stripe';
import { EventHistory } from './event-history';

const event = (id: string, type: string, object: object, previous_attributes?: object) =>
  ({ id, type, created: 60, data: { object, previous_attributes } }) as unknown as Stripe.Event;

it('an event history says what each event of a customer has changed, oldest first', () => {
  const history = new EventHistory();
  const invoice = { id: 'in_1', customer: 'cus_1', status: 'open' };
  const subscription = { id: 'sub_1', customer: 'cus_1', status: 'past_due', latest_invoice: 'in_1' };
  history.read(event('evt_1', 'invoice.payment_failed', invoice));
  history.read(
    event('evt_2', 'customer.subscription.updated', subscription, { status: 'active', latest_invoice: null }),
  );
  history.read(event('evt_3', 'customer.updated', { id: 'cus_2' }));
  expect(history.of('cus_1')).toEqual([
    '1970-01-01T00:01:00.000Z evt_1 invoice.payment_failed: in_1 is open',
    '1970-01-01T00:01:00.000Z evt_2 customer.subscription.updated: sub_1 is past_due (was active); ' +
      'newest invoice in_1; changed latest_invoice',
  ]);
  expect(history.of('cus_2')).toEqual([]);
});
