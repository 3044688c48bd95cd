/**
 * Attempts before a failed event waits for an operator; the last one is made after about two hours.
 */
const MAX_ATTEMPTS = 8;
/** Seconds before the second attempt; each later pause is twice as long. */
const FIRST_PAUSE = 60;

/**
 * When a failed webhook event is retried.
 * @param attempts how many were made
 * @returns seconds until the next attempt; undefined if it was the last one
 */
export function webhookRetryPause(attempts: number): number | undefined {
  return attempts >= MAX_ATTEMPTS ? undefined : FIRST_PAUSE * 2 ** (attempts - 1);
}
