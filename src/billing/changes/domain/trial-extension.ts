import { addSeconds, DAY } from '../../../platform/clock';
import { invalid } from '../../../platform/platform.failures';
import { err, ok, type Result } from '../../../platform/result';

/** The latest end of a trial, in days from now. Stripe's own limit is two years. */
const MOST_DAYS = 90;

/** The end to which an operator moves a trial, and why. */
export interface TrialExtension {
  readonly endsAt: Date;
  readonly reason: string;
}

/**
 * Whether a trial may end at another time, which is later than its current end. VALIDATION_ERROR
 * on endsAt.
 */
export function checkTrialEnd(endsAt: Date, present: Date, now: Date): Result<void, 'VALIDATION_ERROR'> {
  const refuse = (message: string) => err(invalid({ endsAt: [message] }));
  if (endsAt <= now) return refuse('must be in the future');
  if (endsAt <= present) return refuse('must be later than the current end of the trial');
  if (endsAt > addSeconds(now, MOST_DAYS * DAY)) return refuse(`must be at most ${MOST_DAYS} days from now`);
  return ok();
}
