/** What the reader chose in their account; null or absent: as on the device. */
interface DateChoice {
  readonly language?: string | null;
  readonly timeZone?: string | null;
}

let choice: DateChoice = {};

/** From now on dates and amounts are written as the reader chose. */
export function writeDatesFor(chosen: DateChoice): void {
  choice = chosen;
}

const isEnglish = (language: string) => /^en\b/.test(language);

/** The pages are in English; which English is the reader's choice, else that of the device. */
export const locale = (): string =>
  choice.language && isEnglish(choice.language) ? choice.language : (navigator.languages.find(isEnglish) ?? 'en');

/** Whether the clock of the device has 12 hours; a chosen language has a clock of its own. */
const deviceClock = new Intl.DateTimeFormat(undefined, { hour: 'numeric' }).resolvedOptions().hourCycle;

const formatter = (options: Intl.DateTimeFormatOptions) => (at: string | number) => {
  const hourCycle = options.timeStyle && !choice.language ? deviceClock : undefined;
  const timeZone = choice.timeZone ?? undefined;
  return new Intl.DateTimeFormat(locale(), { ...options, timeZone, hourCycle }).format(new Date(at));
};

/** March 1, 2026 */
export const longDate = formatter({ dateStyle: 'long' });

/** Mar 1, 2026 */
export const mediumDate = formatter({ dateStyle: 'medium' });

/** Mar 1, 2026, 2:05 PM */
export const dateTime = formatter({ dateStyle: 'medium', timeStyle: 'short' });

/** Mar 1, 2026, 2:05:09 PM */
export const exactTime = formatter({ dateStyle: 'medium', timeStyle: 'medium' });

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

/** "45 seconds", "2 minutes", "3 hours", "4 days": rounded up. */
export function duration(seconds: number): string {
  if (seconds < 90) return counted(seconds, 'second');
  if (seconds < 5400) return counted(seconds / 60, 'minute');
  return seconds < 172_800 ? counted(seconds / 3600, 'hour') : counted(seconds / 86_400, 'day');
}

function counted(amount: number, unit: string): string {
  const count = Math.ceil(amount);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

export const isPast = (at: string): boolean => Date.parse(at) < Date.now();
