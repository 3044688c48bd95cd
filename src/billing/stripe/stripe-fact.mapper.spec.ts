import type { PriceMark } from '../catalogue/domain/price-metadata';
import { eventOf } from './stripe-event';
import { toFact } from './stripe-fact.mapper';

const TENANT = '0192f0c1-2345-7abc-8def-0123456789ab';
const prices = {
  termsOf: ({ id }: PriceMark) => (id === 'price_pro' ? ({ plan: 'Pro', interval: 'month' } as const) : undefined),
};
const subscription = {
  id: 'sub_1',
  customer: 'cus_1',
  status: 'trialing',
  created: 1,
  metadata: { tenantId: TENANT },
  items: { data: [{ price: { id: 'price_pro' }, current_period_end: 100 }] },
};
const session = {
  mode: 'subscription',
  subscription: 'sub_1',
  customer: 'cus_1',
  client_reference_id: TENANT,
  metadata: { tenantId: TENANT.toUpperCase(), plan: 'Pro' },
  payment_status: 'paid',
};
const invoice = { id: 'in_1', created: 5, customer: 'cus_1', subscription: 'sub_1', metadata: { tenantId: TENANT } };

const map = (type: string, object: object, previous_attributes?: object) =>
  toFact(eventOf({ id: 'evt_1', type, created: 10, data: { object, previous_attributes } })!, prices);

describe('an event about a subscription', () => {
  it.each<[string, object, object | undefined, object]>([
    [
      'customer.subscription.updated',
      {},
      { status: 'active' },
      { previousStatus: 'active', keepsEnd: true, isTrialEnding: false },
    ],
    [
      'customer.subscription.updated',
      {},
      undefined,
      { previousStatus: null, keepsEnd: false, snapshot: { status: 'trialing', plan: 'Pro' } },
    ],
    ['customer.subscription.updated', {}, { cancel_at: null }, { previousStatus: 'trialing', keepsEnd: false }],
    ['customer.subscription.updated', {}, { cancel_at_period_end: true }, { keepsEnd: false }],
    ['customer.subscription.deleted', {}, undefined, { snapshot: { status: 'canceled' } }],
    ['customer.subscription.trial_will_end', {}, undefined, { keepsEnd: true, isTrialEnding: true }],
  ])('%s is a snapshot', (type, rest, previous, expected) =>
    expect(map(type, { ...subscription, ...rest }, previous)).toMatchObject({
      keys: { subscriptionId: 'sub_1', customerId: 'cus_1', tenantIds: [TENANT] },
      fact: { kind: 'snapshot', ...expected },
    }),
  );

  it('without a customer is refused with an error', () =>
    expect(() => map('customer.subscription.updated', { ...subscription, customer: null })).toThrow(
      'has no id, customer',
    ));
});

describe('a completed checkout session', () => {
  it.each<[string, object, object]>([
    ['that was paid', {}, { plan: 'Pro', isTrialing: false, isPaid: true }],
    ['with a trial', { payment_status: 'no_payment_required' }, { isTrialing: true, isPaid: true }],
    ['with an amount of 0', { amount_total: 0 }, { isTrialing: true, isPaid: true }],
    [
      'with the trial that was offered',
      { payment_status: 'no_payment_required', metadata: { ...session.metadata, trialDays: '7' } },
      { isTrialing: true, trialDays: 7 },
    ],
    [
      'free of charge, for which no trial was offered',
      { payment_status: 'no_payment_required', amount_total: 0, metadata: { ...session.metadata, trialDays: '0' } },
      { isTrialing: false, trialDays: 0, isPaid: true },
    ],
    ['whose payment is processing', { payment_status: 'unpaid' }, { isPaid: false }],
    ['of an unknown plan', { metadata: { tenantId: TENANT, plan: 'Gold' } }, { plan: null }],
  ])('%s is a checkout', (_what, rest, expected) =>
    expect(map('checkout.session.completed', { ...session, ...rest })).toMatchObject({
      keys: { subscriptionId: 'sub_1', customerId: 'cus_1', tenantIds: [TENANT] },
      fact: { kind: 'checkout-completed', ...expected },
    }),
  );

  it('with its whole subscription is a snapshot', () =>
    expect(map('checkout.session.completed', { ...session, subscription })?.fact).toMatchObject({ kind: 'snapshot' }));

  it('names every tenant of its metadata, and apart from them its reference', () => {
    const other = TENANT.replace('a', 'b');
    const metadata = { tenantId: other };
    for (const bought of ['sub_1', { ...subscription, metadata }])
      expect(
        map('checkout.session.completed', { ...session, client_reference_id: other, subscription: bought })?.keys,
      ).toMatchObject({ tenantIds: bought === 'sub_1' ? [TENANT] : [TENANT, other], referenceId: other });
    expect(map('checkout.session.completed', { ...session, metadata: {} })?.keys).toMatchObject({ tenantIds: [] });
  });

  it.each([
    ['for a single payment', { mode: 'payment' }],
    ['without a subscription', { subscription: null }],
  ])('%s concerns no subscription', (_what, rest) =>
    expect(map('checkout.session.completed', { ...session, ...rest })).toBeUndefined(),
  );

  it('without a customer is refused with an error', () =>
    expect(() => map('checkout.session.completed', { ...session, customer: null })).toThrow('has no customer'));
});

describe('an event about an invoice', () => {
  it.each([
    ['invoice.payment_failed', 'payment-failed'],
    ['invoice.payment_succeeded', 'payment-succeeded'],
  ])('%s is a %s', (type, kind) =>
    expect(map(type, invoice)).toEqual({
      keys: { subscriptionId: 'sub_1', customerId: 'cus_1', tenantIds: [TENANT] },
      fact: {
        kind,
        subscriptionId: 'sub_1',
        invoice: { id: 'in_1', createdAt: new Date(5000) },
        isPaid: true,
        isRetry: false,
      },
    }),
  );

  it.each<[string, object, object]>([
    ['with an amount', { amount_paid: 2900, attempt_count: 1 }, { isPaid: true, isRetry: false }],
    ['of a second attempt', { amount_paid: 2900, attempt_count: 2 }, { isPaid: true, isRetry: true }],
    ['on which nothing was due', { amount_due: 0, amount_paid: 0, attempt_count: 0 }, { isPaid: false }],
    ['that says only what was paid', { amount_paid: 0 }, { isPaid: false }],
    ['that says only what was due', { amount_due: 2900 }, { isPaid: true }],
  ])('%s says whether something was paid', (_what, rest, expected) =>
    expect(map('invoice.payment_succeeded', { ...invoice, ...rest })?.fact).toMatchObject(expected),
  );

  it('without a subscription concerns none', () =>
    expect(map('invoice.payment_failed', { ...invoice, subscription: null })).toBeUndefined());
});

it('an event of another type concerns no subscription', () => expect(map('customer.created', {})).toBeUndefined());
