/**
 * The pages are in English; which English, and whether the clock has 12 hours, is the reader's
 * choice.
 */
export const LOCALE = navigator.languages.find((language) => /^en\b/.test(language)) ?? 'en';
const { hourCycle } = new Intl.DateTimeFormat(undefined, { hour: 'numeric' }).resolvedOptions();

const formatter = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat(LOCALE, options.timeStyle ? { ...options, hourCycle } : options);
  return (at: string | number) => format.format(new Date(at));
};

/** March 1, 2026 */
export const longDate = formatter({ dateStyle: 'long' });

/** Mar 1, 2026 */
export const mediumDate = formatter({ dateStyle: 'medium' });

/** Mar 1, 2026, 2:05 PM */
export const dateTime = formatter({ dateStyle: 'medium', timeStyle: 'short' });

/** 2:05 PM */
export const timeOfDay = formatter({ timeStyle: 'short' });

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** "just now", "5 minutes ago", "yesterday"; a week or more ago: the date and time. */
export function timeAgo(at: string): string {
  const ms = Date.now() - Date.parse(at);
  if (ms < MINUTE_MS) return 'just now';
  if (ms < HOUR_MS) return relative.format(-Math.floor(ms / MINUTE_MS), 'minute');
  if (ms < DAY_MS) return relative.format(-Math.floor(ms / HOUR_MS), 'hour');
  return ms < 7 * DAY_MS ? relative.format(-Math.floor(ms / DAY_MS), 'day') : dateTime(at);
}

/** "14 days", "1 day", "less than a day" from now. */
export function daysUntil(at: string): string {
  const days = Math.floor((Date.parse(at) - Date.now()) / DAY_MS + 0.5);
  return days < 1 ? 'less than a day' : days === 1 ? '1 day' : `${days} days`;
}

export const isPast = (at: string): boolean => Date.parse(at) < Date.now();
