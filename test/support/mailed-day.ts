/** A day as emails write it to those who chose no time zone. */
export const mailedDay = (at: Date | string): string =>
  new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(at));
