import type { HelperOptions } from 'handlebars';

/** How a recipient reads dates. */
export interface MailReader {
  /** A language tag (BCP 47). Emails are in English; of its variants the recipient's is used. */
  readonly language?: string | null;
  /** The name of a time zone; UTC if there is none. */
  readonly timeZone?: string | null;
}

/** The name under which templates have the MailReader. */
export const READER = 'reader';

const DAY: Intl.DateTimeFormatOptions = { dateStyle: 'long' };
const TIME: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
};

/** The helpers of email templates. Times are a Date or ISO 8601. */
export const MAIL_HELPERS = {
  /** Such as "March 1, 2026". */
  day: (time: Date | string, options: HelperOptions) => format(DAY, time, options),

  /** Such as "March 1, 2026 at 9:30 AM UTC". */
  time: (time: Date | string, options: HelperOptions) => format(TIME, time, options),

  /** Puts its block on one line, as HTML does. For the text part. */
  fold(this: unknown, { fn }: HelperOptions) {
    return fn(this).trim().replace(/\s+/g, ' ');
  },
};

function format(form: Intl.DateTimeFormatOptions, time: Date | string, { data }: HelperOptions): string {
  const { language, timeZone } = (data as { root: { [READER]: MailReader } }).root[READER];
  const english = language && /^en\b/.test(language) ? language : 'en-US';
  const text = new Intl.DateTimeFormat(english, { ...form, timeZone: timeZone ?? 'UTC' }).format(new Date(time));
  return text.replaceAll('\u202f', ' '); // a space before AM that old mail programs do not know
}
