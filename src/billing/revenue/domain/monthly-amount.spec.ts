import type { PriceAmounts } from '../../catalogue/domain/plan-price';
import { monthlyAmountOf, type PaymentTerms } from './monthly-amount';

const TIERED: PriceAmounts = {
  usd: { base: 2900, perSeat: 600, includedSeats: 10 },
  eur: { base: 2700, perSeat: 550, includedSeats: 10 },
};
const FLAT: PriceAmounts = { usd: { base: 1500, perSeat: null, includedSeats: null } };
const [monthly, yearly] = [
  { interval: 'month', amounts: TIERED } as const,
  { interval: 'year', amounts: TIERED } as const,
];
const terms = (values: Partial<PaymentTerms> = {}): PaymentTerms => ({
  currency: 'usd',
  seats: null,
  discountPercent: null,
  discountAmount: null,
  ...values,
});

describe('The monthly amount of a subscription', () => {
  it.each<[string, Parameters<typeof monthlyAmountOf>[0], Partial<PaymentTerms>, number | null]>([
    ['is the base amount for the included seats', monthly, { seats: 10 }, 2900],
    ['does not fall below it with fewer seats', monthly, { seats: 1 }, 2900],
    ['is the base amount if the seats are not known', monthly, {}, 2900],
    ['adds an amount for each further seat', monthly, { seats: 13 }, 4700],
    ['is that of its currency', monthly, { currency: 'eur', seats: 11 }, 3250],
    ['is a twelfth of a yearly price, rounded', yearly, {}, 242],
    ['rounds a twelfth with its seats once', yearly, { seats: 11 }, 292],
    ['of a flat price is the same with any number', { interval: 'month', amounts: FLAT }, { seats: 5 }, 1500],
    ['is less by a discount in percent', monthly, { discountPercent: 20 }, 2320],
    ['is less by a discount of half a percent', monthly, { discountPercent: 12.5 }, 2538],
    ['is less by an amount', monthly, { discountAmount: 500 }, 2400],
    ['is less by a twelfth of an amount off a yearly invoice', yearly, { discountAmount: 500 }, 200],
    ['is nothing with a discount of everything', monthly, { discountPercent: 100 }, 0],
    ['is not negative', monthly, { discountAmount: 5000 }, 0],
    ['is not known in a currency that the price does not have', monthly, { currency: 'chf' }, null],
    ['is not known in a currency with the name of a method', monthly, { currency: 'toString' }, null],
    ['is not known without a currency', monthly, { currency: null }, null],
    ['is not known without a price', undefined, {}, null],
  ])('%s', (_what, cost, values, expected) => expect(monthlyAmountOf(cost, terms(values))).toBe(expected));
});
