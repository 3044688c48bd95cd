import { ok } from '../../platform/result';
import type { StripeClient } from './stripe-client';
import { StripePlanChanges } from './stripe-plan-changes';
import { StripeSeats } from './stripe-seats';

const item = (id: string, price: string) => ({
  id,
  quantity: 1,
  price: { id: price, billing_scheme: 'tiered' },
  current_period_end: 10,
});

/** A subscription with an item that was added at Stripe, before that of the plan. */
const subscription = {
  id: 'sub_1',
  customer: 'cus_1',
  currency: 'usd',
  status: 'active',
  schedule: null,
  cancel_at: null,
  cancel_at_period_end: false,
  items: { data: [item('si_support', 'price_support'), item('si_plan', 'price_pro')] },
};

describe('Of a subscription with several items', () => {
  const update = jest.fn<Promise<object>, [string, { items: object[] }]>(() => Promise.resolve({}));
  const stripe = { subscriptions: { retrieve: () => Promise.resolve(subscription), update } };
  const call = async (_: string, ask: (client: typeof stripe) => Promise<unknown>) => ok(await ask(stripe));
  const client = { call } as unknown as StripeClient;

  it('that of the plan is changed', async () => {
    const changes = new StripePlanChanges(client);
    expect(await changes.find('sub_1', 'price_pro')).toMatchObject({ value: { itemId: 'si_plan' } });
    expect(await changes.find('sub_1', null)).toMatchObject({ value: { itemId: 'si_support' } });
  });

  it('that of the plan has the seats', async () => {
    const order = { subscriptionId: 'sub_1', priceId: 'price_pro', seats: 4 };
    expect(await new StripeSeats(client).set(order)).toMatchObject({ value: true });
    expect(update.mock.calls[0][1].items).toEqual([{ id: 'si_plan', quantity: 4 }]);
  });
});
