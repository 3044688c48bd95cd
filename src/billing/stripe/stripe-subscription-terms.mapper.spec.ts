import type { PriceMark } from '../catalogue/domain/price-metadata';
import { discountOf } from './stripe-discount.mapper';
import type { Fields } from './stripe-fields';
import { itemTermsOf, pendingChangeOf } from './stripe-subscription-terms.mapper';

const prices = {
  termsOf: ({ id }: PriceMark) => (id === 'price_year' ? ({ plan: 'Pro', interval: 'year' } as const) : undefined),
};
const monthly = { id: 'price_1', currency: 'eur', billing_scheme: 'tiered', recurring: { interval: 'month' } };

describe('The terms of an item', () => {
  it.each<[string, Fields, Fields, object]>([
    [
      'of the current API version',
      { quantity: 12, price: { ...monthly, recurring: { interval: 'month', interval_count: 1 } } },
      { currency: 'usd' },
      { interval: 'month', currency: 'usd', seats: 12 },
    ],
    [
      'with a plan of an older version',
      { plan: { interval: 'year', interval_count: 1, currency: 'eur', billing_scheme: 'per_unit' }, quantity: 1 },
      {},
      { interval: 'year', currency: 'eur', seats: null },
    ],
    [
      'with plan and quantity at the subscription',
      {},
      { plan: { interval: 'month', currency: 'usd', billing_scheme: 'tiered' }, quantity: 3 },
      { interval: 'month', currency: 'usd', seats: 3 },
    ],
    [
      'paid every three months',
      { price: { ...monthly, recurring: { interval: 'month', interval_count: 3 } } },
      {},
      { interval: null, currency: 'eur', seats: null },
    ],
    [
      'paid weekly',
      { price: { recurring: { interval: 'week' } } },
      {},
      { interval: null, currency: null, seats: null },
    ],
    ['with the id of a price', { price: 'price_1', quantity: 2 }, {}, { interval: null, currency: null, seats: null }],
  ])('%s', (_what, item, subscription, expected) => expect(itemTermsOf(item, subscription)).toEqual(expected));
});

describe('The discount', () => {
  const source = (coupon: unknown) => ({ discounts: [{ id: 'di_1', source: { type: 'coupon', coupon } }] });
  it.each<[string, Fields, string | null | undefined]>([
    ['in percent', source({ percent_off: 12.5 }), '12.5%'],
    ['as an amount', source({ percent_off: null, amount_off: 500, currency: 'usd' }), '5.00 usd'],
    ['of an older version', { discount: { coupon: { percent_off: 20 } } }, '20%'],
    ['of a version between', { discounts: [{ coupon: { percent_off: 30 } }] }, '30%'],
    ['is none in an empty list', { discounts: [] }, null],
    ['is none in an older version', { discount: null }, null],
    ['is unknown with ids only', { discounts: ['di_1'] }, undefined],
    ['is unknown with the id of its coupon', source('coupon_1'), undefined],
  ])('%s', (_what, subscription, expected) => {
    const discount = discountOf(subscription);
    expect(discount ? discount.text : discount).toBe(expected);
  });

  const off = { amount_off: 500, currency: 'usd' };
  it.each<[string, object, object]>([
    ['in percent', { percent_off: 12.5, duration: 'forever' }, { percent: 12.5, amount: null }],
    ['for some months', { percent_off: 50, duration: 'repeating' }, { percent: 50, amount: null }],
    ['as an amount', { ...off, duration: 'forever' }, { percent: null, amount: 500 }],
    ['of one invoice, in percent', { percent_off: 20, duration: 'once' }, { percent: null, amount: null }],
    ['of one invoice, as an amount', { ...off, duration: 'once' }, { percent: null, amount: null }],
    ['in another currency', { ...off, currency: 'eur', duration: 'forever' }, { percent: null, amount: null }],
  ])('takes off every invoice what it says: %s', (_what, coupon, expected) =>
    expect(discountOf({ ...source(coupon), currency: 'usd' })).toMatchObject(expected),
  );
});

describe('The planned change', () => {
  const phase = (start_date: number, end_date: number, price: unknown) => ({
    start_date,
    end_date,
    items: [{ price }],
  });
  const schedule = {
    id: 'sub_sched_1',
    status: 'active',
    current_phase: { start_date: 100, end_date: 200 },
    phases: [phase(100, 200, 'price_month'), phase(200, 300, 'price_year')],
  };
  const at = new Date(200_000);
  it.each<[string, unknown, object | null | undefined]>([
    ['is the next phase', schedule, { plan: 'Pro', interval: 'year', at }],
    [
      'may be of an unknown price',
      { ...schedule, phases: [phase(200, 300, { id: 'price_of_nobody' })] },
      { plan: null, interval: null, at },
    ],
    ['is none if it has the current price', { ...schedule, phases: [phase(200, 300, 'price_month')] }, null],
    ['is none in the last phase', { ...schedule, current_phase: { start_date: 200, end_date: 300 } }, null],
    ['is none in a schedule that was released', { ...schedule, status: 'released' }, null],
    ['is none without a schedule', null, null],
    ['is none in versions without schedules', undefined, null],
    ['is unknown with the id of a schedule', 'sub_sched_1', undefined],
  ])('%s', (_what, value, expected) => {
    const items = { data: [{ price: 'price_month' }] };
    expect(pendingChangeOf({ schedule: value, items }, prices)).toEqual(expected);
  });
});
