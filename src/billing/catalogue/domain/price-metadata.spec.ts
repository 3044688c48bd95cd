import { termsOfMark, type PriceMark } from './price-metadata';

const mark = (said: Partial<PriceMark>) =>
  termsOfMark({ id: 'price_1', lookupKey: null, plan: null, interval: null, ...said });

describe('A price', () => {
  it.each<[string, Partial<PriceMark>, object | undefined]>([
    ['by its lookup key', { lookupKey: 'business_year' }, { plan: 'Business', interval: 'year' }],
    ['by its metadata', { plan: 'Pro', interval: 'month' }, { plan: 'Pro', interval: 'month' }],
    [
      'by its lookup key rather than by its metadata',
      { lookupKey: 'pro_year', plan: 'Business', interval: 'month' },
      { plan: 'Pro', interval: 'year' },
    ],
    [
      'by its metadata if the lookup key is another’s',
      { lookupKey: 'gold', plan: 'Pro', interval: 'year' },
      { plan: 'Pro', interval: 'year' },
    ],
    ['not by a plan without interval', { plan: 'Pro' }, undefined],
    ['not by an interval without plan', { interval: 'month' }, undefined],
    ['not by words of others', { plan: 'Gold', interval: 'month' }, undefined],
    ['not as Free, which has no price', { plan: 'Free', interval: 'month' }, undefined],
    ['not without any mark', {}, undefined],
  ])('is recognized %s', (_how, said, expected) => expect(mark(said)).toEqual(expected));
});
