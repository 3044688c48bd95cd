import { mistakesIn } from './catalogue-check';
import { PLAN_CATALOGUE, type CataloguePlan, type CataloguePrice } from './plan-catalogue';

const { Free, Pro, Business } = PLAN_CATALOGUE;
const [month, year] = Pro.prices;
const withPro = (change: Partial<CataloguePlan>) => mistakesIn({ ...PLAN_CATALOGUE, Pro: { ...Pro, ...change } });
const withMonth = (change: Partial<CataloguePrice>) => withPro({ prices: [{ ...month, ...change }, year] });
const withSeats = (included: number, most: number | null) =>
  withPro({ entitlements: { ...Pro.entitlements, seats: { included, most } } });
const usd = (base: number, seat: number) => withMonth({ amounts: { ...month.amounts, usd: { base, seat } } });

describe('The catalogue of plans', () => {
  it('of this service contradicts itself nowhere', () => expect(mistakesIn(PLAN_CATALOGUE)).toEqual([]));

  it.each<[string, string[], string]>([
    [
      'a lookup key twice',
      withMonth({ lookupKey: 'business_month' }),
      'the lookup key business_month is used more than once',
    ],
    [
      'a lookup key with a space',
      withMonth({ lookupKey: 'pro month' }),
      'Pro: pro month: a lookup key consists of a-z, 0-9 and _',
    ],
    ['no yearly price', withPro({ prices: [month] }), 'Pro: 0 prices for the interval year instead of one'],
    [
      'two monthly prices',
      withPro({ prices: [month, { ...month, lookupKey: 'pro_monthly' }, year] }),
      'Pro: 2 prices for the interval month instead of one',
    ],
    [
      'a currency too few',
      withMonth({ amounts: { usd: month.amounts.usd } as never }),
      'Pro: pro_month: the amount in eur is missing',
    ],
    [
      'a currency too many',
      withMonth({ amounts: { ...month.amounts, chf: month.amounts.usd } as never }),
      'Pro: pro_month: chf is not one of CURRENCIES',
    ],
    [
      'an amount with a fraction',
      usd(29.5, 600),
      'Pro: pro_month: base in usd must be a positive whole number of the smallest unit',
    ],
    [
      'a seat for nothing',
      usd(2900, 0),
      'Pro: pro_month: seat in usd must be a positive whole number of the smallest unit',
    ],
    ['more seats included than possible', withSeats(51, 50), 'Pro: seats.included is greater than seats.most'],
    ['no seat', withSeats(0, 50), 'Pro: seats.included must be a positive whole number'],
    [
      'a trial of no days',
      withPro({ trial: { days: 0, card: 'required', withoutCard: 'pause' } }),
      'Pro: trial.days must be a positive whole number',
    ],
    ['an empty description', withPro({ description: ' ' }), 'Pro: the description is empty'],
    [
      'a price for Free',
      mistakesIn({ ...PLAN_CATALOGUE, Free: { ...Free, prices: [{ ...month, lookupKey: 'free_month' }] } }),
      'Free: a free plan has no price',
    ],
  ])('must not have %s', (_what, mistakes, expected) => expect(mistakes).toEqual([expected]));

  it('may have as many seats included as there can be, and any number of them', () => {
    expect(withSeats(50, 50)).toEqual([]);
    expect(withSeats(50, null)).toEqual([]);
  });

  it('has at most as many lookup keys as Stripe lists with one call', () => {
    const prices = Array.from({ length: 9 }, (_, index) => ({ ...month, lookupKey: `pro_${index}` }));
    const mistakes = mistakesIn({ ...PLAN_CATALOGUE, Pro: { ...Pro, prices }, Business });
    expect(mistakes).toContain('there are more than 10 lookup keys');
  });
});
