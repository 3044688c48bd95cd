import type { PaidPlan } from '../../entitlements/domain/plan';
import { PLAN_CATALOGUE, type BillingInterval, type Currency, type TaxBehavior } from './plan-catalogue';

/** An amount of a price for each billing period, in the smallest unit of the currency. */
export interface PriceAmount {
  /** For the plan with its included seats. */
  readonly base: number;
  /** For each seat beyond the included ones; null: the price bills no seats. */
  readonly perSeat: number | null;
  /** Seats in the base amount; null: the price bills no seats. */
  readonly includedSeats: number | null;
}

export type PriceAmounts = Readonly<Partial<Record<Currency, PriceAmount>>>;

/** A price of a plan: as Stripe has it, or as the catalogue says while Stripe was never read. */
export interface PlanPrice {
  readonly plan: PaidPlan;
  readonly interval: BillingInterval;
  /** The id at Stripe; null: there is none, or it is not known. */
  readonly id: string | null;
  readonly amounts: PriceAmounts;
  readonly taxBehavior: TaxBehavior;
}

/** The amounts that a price of the catalogue has at Stripe. */
export function amountsOf(plan: PaidPlan, interval: BillingInterval): PriceAmounts {
  const { prices, entitlements } = PLAN_CATALOGUE[plan];
  const price = prices.find((one) => one.interval === interval);
  const entries = Object.entries(price?.amounts ?? {}).map(([currency, { base, seat }]) => [
    currency,
    { base, perSeat: seat, includedSeats: entitlements.seats.included },
  ]);
  return Object.fromEntries(entries) as PriceAmounts;
}

/** Whether the quantity of a subscription to the price is the number of seats. */
export const billsSeats = ({ amounts }: Pick<PlanPrice, 'amounts'>): boolean =>
  Object.values(amounts).some(({ perSeat }) => perSeat !== null);
