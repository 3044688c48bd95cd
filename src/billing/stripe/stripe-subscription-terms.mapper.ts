import { BILLING_INTERVALS, type BillingInterval } from '../catalogue/domain/plan-catalogue';
import type { PlanPrices } from '../catalogue/services/plan-prices';
import type { PendingChange, SubscriptionSnapshot } from '../subscriptions/domain/subscription-snapshot';
import { fieldsOf, isFields, listOf, momentOf, textOf, type Fields } from './stripe-fields';
import { toPriceMark } from './stripe-price.mapper';

type Prices = Pick<PlanPrices, 'termsOf'>;

/** How often, in which currency and for how many seats an item is paid. */
export function itemTermsOf(
  item: Fields,
  subscription: Fields,
): Pick<SubscriptionSnapshot, 'interval' | 'currency' | 'seats'> {
  const price = fieldsOf(item.price ?? item.plan ?? subscription.plan);
  const quantity = item.quantity ?? subscription.quantity;
  const isTiered = price.billing_scheme === 'tiered';
  return {
    interval: intervalOf(price),
    currency: textOf(subscription.currency) ?? textOf(price.currency),
    seats: isTiered && isCount(quantity) ? quantity : null,
  };
}

/** A number that PostgreSQL can store as an integer. */
const isCount = (value: unknown): value is number => Number.isInteger(value) && Math.abs(value as number) < 2 ** 31;

/** The billing interval of a price is in `recurring`, that of an older API's plan in the plan. */
function intervalOf(price: Fields): BillingInterval | null {
  const { interval, interval_count = 1 } = isFields(price.recurring) ? price.recurring : price;
  return (interval_count === 1 && BILLING_INTERVALS.find((one) => one === interval)) || null;
}

/**
 * The next phase of the schedule of a subscription, if it has another price than the current one.
 * @returns null for none; undefined if the payload has the id of the schedule only
 */
export function pendingChangeOf({ schedule, items }: Fields, prices: Prices): PendingChange | null | undefined {
  if (schedule === null || schedule === undefined) return null;
  if (!isFields(schedule)) return undefined;
  const currentEnd = momentOf(fieldsOf(schedule.current_phase).end_date);
  const next = listOf(schedule.phases).find(
    ({ start_date }) => momentOf(start_date)?.getTime() === currentEnd?.getTime(),
  );
  const present = listOf(items).map(({ price }) => toPriceMark(price)?.id);
  const marks = listOf(next?.items).flatMap(({ price }) => toPriceMark(price) ?? []);
  const mark = marks.find(({ id }) => !present.includes(id));
  if (!currentEnd || !mark || schedule.status !== 'active') return null;
  const terms = prices.termsOf(mark);
  return { plan: terms?.plan ?? null, interval: terms?.interval ?? null, at: currentEnd };
}
