const formatter = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat(undefined, options);
  return (time: Date) => format.format(time);
};

/** Times on charts, each by the reader's locale: 12 or 24 hours as the locale has it. */
export const clock = formatter({ hour: 'numeric', minute: '2-digit' });
export const weekday = formatter({ weekday: 'short' });
export const dayAndClock = formatter({ month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' });

/** The service counts per day of UTC. */
export const utcDay = formatter({ month: 'short', day: 'numeric', timeZone: 'UTC' });
