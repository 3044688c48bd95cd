import type { PriceRecord } from './records';

/** A day in seconds. */
export const DAY = 24 * 60 * 60;

/**
 * The end of a period. Days and weeks have a fixed length, months are calendar months counted from
 * the anchor.
 */
export function endOfPeriod(
  anchor: number,
  start: number,
  { interval, intervalCount }: Pick<PriceRecord, 'interval' | 'intervalCount'>,
): number {
  if (interval === 'day') return start + intervalCount * DAY;
  if (interval === 'week') return start + intervalCount * 7 * DAY;
  return addMonths(anchor, monthsBetween(anchor, start) + intervalCount * (interval === 'year' ? 12 : 1));
}

function addMonths(time: number, months: number): number {
  const date = new Date(time * 1000);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const daysInMonth = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, daysInMonth));
  return date.getTime() / 1000;
}

function monthsBetween(earlier: number, later: number): number {
  const [one, other] = [new Date(earlier * 1000), new Date(later * 1000)];
  return (other.getUTCFullYear() - one.getUTCFullYear()) * 12 + other.getUTCMonth() - one.getUTCMonth();
}
