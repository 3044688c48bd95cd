import { type Schemas, unwrap } from '@tenantry/client';
import { useQuery } from '@tanstack/react-query';
import { api } from '../session';
import { money } from './money-format';

export type Plan = Schemas['PlanView'];
export type Price = Plan['prices'][number];
export type Interval = Price['interval'];
export type Currency = Price['currency'];

/** Which of the prices of a plan are shown. */
export interface PriceChoice {
  readonly interval: Interval;
  readonly currency: Currency;
}

/** All plans. Visitors can read them too. */
export const usePlans = () =>
  useQuery({
    queryKey: ['plans'],
    queryFn: async () => unwrap(await api.GET('/billing/plans')).items,
    meta: { isOnce: true },
  });

/** The price of a plan, undefined if it has none, such as Free. */
export const priceOf = ({ prices }: Plan, { interval, currency }: PriceChoice): Price | undefined =>
  prices.find((price) => price.interval === interval && price.currency === currency);

/** The seats in the price of a plan; undefined if its prices differ in them or bill no seats. */
export function includedSeatsOf({ prices }: Plan): number | undefined {
  const [seats, ...others] = new Set(prices.map(({ includedSeats }) => includedSeats));
  return others.length > 0 ? undefined : (seats ?? undefined);
}

/** "$29 a month", with the seats beyond the included ones. */
export function paymentText({ amount, perSeat, includedSeats, currency, interval }: Price, seats = 0): string {
  const more = perSeat === null || includedSeats === null ? 0 : Math.max(0, seats - includedSeats) * perSeat;
  return `${money(amount + more, currency)} a ${interval}`;
}

/** The currencies of all prices. */
export const currenciesOf = (plans: readonly Plan[]): Currency[] => [
  ...new Set(plans.flatMap(({ prices }) => prices.map(({ currency }) => currency))),
];

/** What is saved by paying for a year, such as "2 months free"; undefined if nothing is. */
export function yearlySaving(plans: readonly Plan[], currency: Currency): string | undefined {
  const months = plans.flatMap((plan) => {
    const month = priceOf(plan, { interval: 'month', currency });
    const year = priceOf(plan, { interval: 'year', currency });
    return month && year && month.amount > 0 ? [12 - year.amount / month.amount] : [];
  });
  const least = Math.floor(Math.min(...months) + 0.01);
  if (months.length === 0 || least < 1) return undefined;
  return least === 1 ? '1 month free' : `${least} months free`;
}
