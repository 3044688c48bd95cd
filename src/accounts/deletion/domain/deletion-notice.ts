import { DAY } from '../../../platform/clock';

/** Seconds in which a user can keep the account (docs/contract.md, Deletion of an account). */
export const NOTICE_SECONDS = 14 * DAY;
/** Seconds before the deletion at which the user is reminded. */
export const REMINDER_SECONDS = 3 * DAY;
