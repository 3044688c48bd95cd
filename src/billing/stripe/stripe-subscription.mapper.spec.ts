import type { PriceTerms } from '../catalogue/domain/known-price';
import type { PriceMark } from '../catalogue/domain/price-metadata';
import type { Fields } from './stripe-fields';
import { subscriptionIdOfInvoice, tenantIdsOfInvoice, toSnapshot } from './stripe-subscription.mapper';

const TENANT = '0192f0c1-2345-7abc-8def-0123456789ab';
const OTHER = '0192f0c1-2345-7abc-8def-0123456789ac';
const prices = {
  termsOf: ({ id }: PriceMark): PriceTerms | undefined =>
    ({
      price_pro: { plan: 'Pro', interval: 'month' } as const,
      price_business: { plan: 'Business', interval: 'year' } as const,
    })[id],
};
const second = (value: number) => new Date(value * 1000);
const map = (values: object = {}) =>
  toSnapshot(
    {
      id: 'sub_1',
      customer: 'cus_1',
      status: 'active',
      created: 1,
      items: { data: [{ price: { id: 'price_pro' }, current_period_end: 100 }] },
      ...values,
    },
    prices,
  );

describe('A subscription object', () => {
  it('with its required fields alone has no plan, no end and no tenant', () =>
    expect(toSnapshot({ id: 'sub_1', customer: 'cus_1', status: 'active', created: 1 }, prices)).toEqual({
      subscriptionId: 'sub_1',
      customerId: 'cus_1',
      status: 'active',
      isCollectionPaused: false,
      plan: null,
      priceId: null,
      interval: null,
      currency: null,
      seats: null,
      discount: null,
      pending: null,
      createdAt: second(1),
      currentPeriodEnd: null,
      isEnding: false,
      endsAt: null,
      endedAt: null,
      latestInvoiceId: null,
      isLatestInvoicePaid: null,
      trialEndsAt: null,
      tenantId: null,
    }));

  it.each([
    ['an id', { id: undefined }],
    ['a customer', { customer: null }],
    ['a status', { status: '' }],
    ['a time', { created: '1' }],
    ['a time that a date can hold', { created: 253_402_300_800 }],
  ])('without %s is not mapped', (_what, values) => expect(map(values)).toBeUndefined());

  it.each<[string, object, object]>([
    ['the customer in the expanded object', { customer: { id: 'cus_2' } }, { customerId: 'cus_2' }],
    ['the invoice by its id', { latest_invoice: 'in_1' }, { latestInvoiceId: 'in_1', isLatestInvoicePaid: null }],
    [
      'a paid invoice',
      { latest_invoice: { id: 'in_1', status: 'paid', amount_paid: 2900 } },
      { isLatestInvoicePaid: true },
    ],
    [
      'an invoice of nothing',
      { latest_invoice: { id: 'in_1', status: 'paid', amount_paid: 0, amount_due: 0 } },
      { isLatestInvoicePaid: false },
    ],
    [
      'a voided invoice',
      { latest_invoice: { id: 'in_1', status: 'void', amount_due: 2900 } },
      { isLatestInvoicePaid: false },
    ],
    ['the invoice in the expanded object', { latest_invoice: { id: 'in_1' } }, { latestInvoiceId: 'in_1' }],
    ['a status that it does not know', { status: 'on_hold' }, { status: 'on_hold' }],
    ['a pause of the collection', { pause_collection: { behavior: 'void' } }, { isCollectionPaused: true }],
    ['no pause where the field is null', { pause_collection: null }, { isCollectionPaused: false }],
    ['the end of the trial', { trial_end: 50 }, { trialEndsAt: second(50) }],
    ['the time at which it ended', { ended_at: 60 }, { endedAt: second(60) }],
    [
      'the tenant of its metadata in lower case',
      { metadata: { tenantId: TENANT.toUpperCase() } },
      { tenantId: TENANT },
    ],
    ['no tenant from metadata that is not a UUID', { metadata: { tenantId: 'acme' } }, { tenantId: null }],
    ['no trial from a time in text', { trial_end: '50' }, { trialEndsAt: null }],
  ])('is read with %s', (_what, values, expected) => expect(map(values)).toMatchObject(expected));
});

describe('The end of the period of a subscription object', () => {
  it.each<[string, object, Date | null]>([
    ['is read from its item', {}, second(100)],
    ['is read from its item rather than from the old field', { current_period_end: 200 }, second(100)],
    [
      'is read from the old field if the item has none',
      { current_period_end: 200, items: { data: [{ price: 'price_pro' }] } },
      second(200),
    ],
    ['is read from the old field if there is no item', { current_period_end: 200, items: undefined }, second(200)],
    ['is unknown if neither field is present', { items: { data: [{ price: 'price_pro' }] } }, null],
  ])('%s', (_rule, values, expected) => expect(map(values)?.currentPeriodEnd).toEqual(expected));
});

describe('The cancellation of a subscription object', () => {
  it.each<[string, object, boolean, Date | null]>([
    ['is not scheduled if it says neither', { cancel_at_period_end: false, cancel_at: null }, false, null],
    ['takes effect at the end of the period', { cancel_at_period_end: true }, true, second(100)],
    ['takes effect at a given time', { cancel_at: 150 }, true, second(150)],
    [
      'takes effect at a given time rather than at the end of the period',
      { cancel_at_period_end: true, cancel_at: 150 },
      true,
      second(150),
    ],
    ['takes effect at an unknown time without a period', { cancel_at_period_end: true, items: [] }, true, null],
    ['is not scheduled by a text', { cancel_at_period_end: 'true' }, false, null],
  ])('%s', (_rule, values, isEnding, endsAt) => expect(map(values)).toMatchObject({ isEnding, endsAt }));
});

describe('The plan of a subscription object', () => {
  const item = (price: unknown, rest: object = {}) => ({ items: { data: [{ price, ...rest }] } });
  it.each<[string, object, string | null]>([
    ['is that of the price object of its item', item({ id: 'price_business' }), 'Business'],
    ['is that of the price id of its item', item('price_business'), 'Business'],
    ['is that of the price rather than of the old plan field', item('price_pro', { plan: 'price_business' }), 'Pro'],
    ['is that of the old plan field of its item', item(undefined, { plan: { id: 'price_business' } }), 'Business'],
    ['is that of the old plan field of the subscription', { items: null, plan: { id: 'price_business' } }, 'Business'],
    ['is unknown for an unknown price', item('price_gold'), null],
    [
      'is unknown for an unknown price, whatever the old field says',
      { ...item('price_gold'), plan: 'price_pro' },
      null,
    ],
    ['is read from items that are a plain list', { items: [{ price: 'price_business' }] }, 'Business'],
    ['is unknown if the items are no list', { items: 'price_pro' }, null],
  ])('%s', (_rule, values, plan) => expect(map(values)?.plan).toBe(plan));

  it('is that of the first item whose price is known, with the period of this item', () => {
    const items = [
      { price: 'price_seats', current_period_end: 10 },
      { price: 'price_business', current_period_end: 20 },
      { price: 'price_pro', current_period_end: 30 },
    ];
    expect(map({ items: { data: items } })).toMatchObject({ plan: 'Business', currentPeriodEnd: second(20) });
  });
});

describe('The subscription of an invoice', () => {
  const parent = (subscription: unknown) => ({ parent: { subscription_details: { subscription } } });
  const line = (fields: object) => ({ lines: { data: [fields] } });
  it.each<[string, Fields, string | null]>([
    ['is read from its parent', parent('sub_1'), 'sub_1'],
    ['is read from the expanded object in its parent', parent({ id: 'sub_1' }), 'sub_1'],
    ['is read from its parent rather than from the old field', { ...parent('sub_1'), subscription: 'sub_2' }, 'sub_1'],
    ['is read from the old field', { subscription: 'sub_2' }, 'sub_2'],
    [
      'is read from the old field rather than from a line',
      { subscription: 'sub_2', ...line({ subscription: 'sub_3' }) },
      'sub_2',
    ],
    [
      'is read from the parent of its first line',
      line({ parent: { subscription_item_details: { subscription: 'sub_3' } }, subscription: 'sub_4' }),
      'sub_3',
    ],
    ['is read from the old field of its first line', line({ subscription: 'sub_4' }), 'sub_4'],
    ['does not exist for an invoice of something else', { parent: { quote_details: {} }, ...line({}) }, null],
  ])('%s', (_rule, invoice, expected) => expect(subscriptionIdOfInvoice(invoice)).toBe(expected));
});

it('The tenants of an invoice are those of its own metadata and of both copies of the subscription’s', () =>
  expect(
    tenantIdsOfInvoice({
      metadata: { tenantId: TENANT },
      parent: { subscription_details: { metadata: { tenantId: OTHER } } },
      subscription_details: { metadata: { tenantId: 'acme' } },
    }),
  ).toEqual([TENANT, OTHER, null]));
