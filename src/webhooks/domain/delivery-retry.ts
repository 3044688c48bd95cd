import { DAY, HOUR, MINUTE } from '../../platform/clock';

/**
 * Seconds before each attempt after the first one: ten attempts within about three days, as the
 * specification Standard Webhooks recommends.
 */
const PAUSES = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
/** By how much a pause is longer or shorter, so that receivers are not asked by all at once. */
const JITTER = 0.2;
const MOST_RETRY_AFTER = DAY;

/** Attempts at a delivery. */
export const MOST_ATTEMPTS = PAUSES.length + 1;

/**
 * Seconds until the next attempt.
 * @param attempts how many were made; at least one
 * @param retryAfter the seconds that the receiver asks for; at most a day, and not less than the
 * schedule
 * @param random from 0 to 1
 * @returns undefined after the last attempt
 */
export function pauseAfter(attempts: number, retryAfter: number | undefined, random: number): number | undefined {
  if (attempts >= MOST_ATTEMPTS) return undefined;
  const pause = PAUSES[attempts - 1] * (1 - JITTER + 2 * JITTER * random);
  return Math.max(pause, Math.min(retryAfter ?? 0, MOST_RETRY_AFTER));
}

/**
 * The seconds of a header Retry-After (RFC 9110 section 10.2.3): a number, or a date.
 * @returns undefined for anything else
 */
export function secondsOfRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const moment = Date.parse(header);
  return Number.isNaN(moment) ? undefined : Math.max(0, (moment - now.getTime()) / 1000);
}
