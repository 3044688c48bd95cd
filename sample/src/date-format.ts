const show = (options: Intl.DateTimeFormatOptions) => (at: string | number) =>
  new Intl.DateTimeFormat('en', options).format(new Date(at));

/** March 1, 2026 */
export const day = show({ dateStyle: 'long' });

/** Mar 1, 2026, 2:05 PM */
export const moment = show({ dateStyle: 'medium', timeStyle: 'short' });

/** 14:05 */
export const clock = show({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** "14 days", "1 day", "less than a day" from now. */
export function daysUntil(at: string): string {
  const days = Math.floor((Date.parse(at) - Date.now()) / 86_400_000 + 0.5);
  return days < 1 ? 'less than a day' : days === 1 ? '1 day' : `${days} days`;
}

export const isPast = (at: string): boolean => Date.parse(at) < Date.now();
