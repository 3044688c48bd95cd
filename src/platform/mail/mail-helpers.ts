import type { HelperOptions } from 'handlebars';

const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });

/** The helpers of email templates. Times are a Date or ISO 8601, and are shown in UTC. */
export const MAIL_HELPERS = {
  /** Such as "March 1, 2026". */
  day: (time: Date | string) => DAY.format(new Date(time)),

  /** Such as "2026-03-01 at 09:30 UTC". */
  time: (time: Date | string) => `${new Date(time).toISOString().slice(0, 16).replace('T', ' at ')} UTC`,

  /** Puts its block on one line, as HTML does. For the text part. */
  fold(this: unknown, { fn }: HelperOptions) {
    return fn(this).trim().replace(/\s+/g, ' ');
  },
};
