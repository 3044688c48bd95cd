/**
 * The pages are in English; which English, and whether the clock has 12 hours, is the reader's
 * choice.
 */
export const LOCALE = navigator.languages.find((language) => /^en\b/.test(language)) ?? 'en';
const { hourCycle } = new Intl.DateTimeFormat(undefined, { hour: 'numeric' }).resolvedOptions();

/** Formats times in the reader's time zone, unless the options name another. */
export const formatter = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat(
    LOCALE,
    options.timeStyle || options.hour ? { ...options, hourCycle } : options,
  );
  return (time: Date) => format.format(time);
};

/** The day in the time zone of the browser, as ISO 8601: the value of a date field. */
export const dayOf = (time: Date) =>
  [time.getFullYear(), time.getMonth() + 1, time.getDate()].map((part) => String(part).padStart(2, '0')).join('-');

/** The time zone of the browser, such as Europe/Vienna. */
export const TIME_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The last second of a day in the time zone of the browser, as the API takes it. */
export const endOfDay = (day: string) => new Date(`${day}T23:59:59`).toISOString();

/** The same time some days later. */
export function dayIn(days: number, from: Date): Date {
  const later = new Date(from);
  later.setDate(later.getDate() + days);
  return later;
}
