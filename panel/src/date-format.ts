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
