import type { Schemas } from '@tenantry/client';

export type Revenue = Schemas['RevenueView'];
export type Day = Schemas['RevenueDayView'];
export type Line = Schemas['RevenueLineView'];

/** The fields of a line that are numbers. */
type Amount = Exclude<keyof Line, 'plan' | 'currency'>;

const DAY_MS = 86_400_000;
const dayAt = (time: number) => new Date(time).toISOString().slice(0, 10);

/** The day so many days before another one. */
export const dayBefore = (day: string, days: number): string => dayAt(Date.parse(day) - days * DAY_MS);

/** The sum of a field over lines; amounts only over lines of one currency. */
export const sumOf = (lines: readonly Line[], ...fields: readonly Amount[]): number =>
  lines.reduce((total, line) => fields.reduce((sum, field) => sum + line[field], total), 0);

/** The days from the first known one until today, each with what is known of it. */
export function timelineOf({ today, days }: Revenue): { times: Date[]; days: (Day | undefined)[] } {
  const known = new Map([...days, today].map((one) => [one.day, one]));
  const first = Date.parse(days[0]?.day ?? today.day);
  const count = Math.round((Date.parse(today.day) - first) / DAY_MS) + 1;
  const times = Array.from({ length: count }, (_, index) => new Date(first + index * DAY_MS));
  return { times, days: times.map((time) => known.get(dayAt(time.getTime()))) };
}

/** What was recorded of each day; null where nothing was. */
export const recordedValues = (days: readonly (Day | undefined)[], valueOf: (lines: readonly Line[]) => number) =>
  days.map((day) => (day?.recordedAt ? valueOf(day.lines) : null));

/** The movements of each day; a day without any has none. */
export const movedValues = (days: readonly (Day | undefined)[], field: Amount) =>
  days.map((day) => sumOf(day?.lines ?? [], field));

/** The lines of the last days, with today. */
export function linesOfLast(count: number, { today, days }: Revenue): Line[] {
  const first = dayBefore(today.day, count - 1);
  return [...days, today].filter(({ day }) => day >= first).flatMap(({ lines }) => lines);
}

/**
 * The share of the paid subscriptions of 30 days ago that churned since, in percent; undefined if
 * their number was not recorded.
 */
export function churnRateOf(revenue: Revenue): number | undefined {
  const start = dayBefore(revenue.today.day, 30);
  const base = [...revenue.days].reverse().find(({ day, recordedAt }) => day <= start && recordedAt !== null);
  const paying = base && sumOf(base.lines, 'active', 'pastDue');
  return paying ? (100 * sumOf(linesOfLast(30, revenue), 'churned')) / paying : undefined;
}

/** The currencies in which anything was paid, in the order of their codes. */
export function currenciesIn({ today, days }: Revenue): string[] {
  const all = [...days, today].flatMap(({ lines }) => lines.map(({ currency }) => currency));
  return [...new Set(all.filter((currency) => currency !== null))].sort();
}
