import { formatter } from '../date-format';

/** Times on charts. */
export const clock = formatter({ hour: 'numeric', minute: '2-digit' });
export const weekday = formatter({ weekday: 'short' });
export const dayAndClock = formatter({ month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' });

/** The service counts per day of UTC. */
export const utcDay = formatter({ month: 'short', day: 'numeric', timeZone: 'UTC' });
