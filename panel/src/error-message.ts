import { ApiError, type ClientErrorCode, type ErrorCode } from '@tenantry/client';

/** Messages for operators, that replace those of the service. */
const MESSAGES: Partial<Record<ErrorCode | ClientErrorCode, string>> = {
  UNREACHABLE: 'The service cannot be reached. Check that it is running, then try again.',
  UNAVAILABLE: 'The service cannot reach its database. Try again in a moment.',
  OUTCOME_UNKNOWN: 'The database did not confirm the change. Check whether it was made before you repeat it.',
  BILLING_UNAVAILABLE: 'Stripe is not configured or cannot be reached. Nothing was changed.',
  INTERNAL_ERROR: 'Something went wrong. Search the log for the request ID to find the cause.',
  NOT_FOUND: 'Not found. It may have been deleted.',
  FORBIDDEN: 'Your account no longer has operator access.',
  INVALID_CREDENTIALS: 'Incorrect email or password.',
  EMAIL_NOT_VERIFIED: 'This email is not verified. Open the link in the verification email first.',
  ACCOUNT_DISABLED: 'This account has been disabled. Another operator can enable it.',
  CANNOT_IMPERSONATE: 'You cannot impersonate an operator or yourself.',
  NOT_WHILE_IMPERSONATING: 'Unavailable while impersonating.',
  RATE_LIMITED: 'Too many requests.',
  STEP_UP_REQUIRED: 'Nothing was changed. Confirm that it is you when you try again.',
  SECOND_FACTOR_INVALID: 'This code is incorrect, or it was already used.',
  TICKET_INVALID: 'This sign-in has expired. Sign in again.',
  TOO_MANY_ATTEMPTS: 'Too many failed attempts.',
  PASSKEY_CANCELED: 'No passkey was used. The request was canceled, took too long, or you were not verified.',
  PASSKEYS_UNAVAILABLE: 'Passkeys cannot be used in this browser or on this page.',
  SESSION_CHANGED: 'Someone else signed in in another tab. Check the page before you try again.',
};

/** The codes of an outage: the same request may succeed a moment later. */
const OUTAGES: readonly string[] = ['UNREACHABLE', 'UNAVAILABLE'];

export const isOutage = (error: unknown) => error instanceof ApiError && OUTAGES.includes(error.code);

/** The message of an error, and the ID by which its request is found in the log. */
export function errorMessageOf(error: unknown): { sentence: string; requestId: string | null } {
  if (!(error instanceof ApiError))
    return { sentence: error instanceof Error ? error.message : 'Something went wrong on this page.', requestId: null };
  const { code, message, details, requestId, retryAfter } = error;
  const invalid = code === 'VALIDATION_ERROR' ? details : undefined;
  const fields = Object.entries(invalid ?? {}).map(([field, messages]) => `${field} ${messages.join(', ')}`);
  const sentence = fields.length > 0 ? `Invalid request: ${fields.join('; ')}.` : (MESSAGES[code] ?? message);
  return { sentence: retryAfter ? `${sentence} Try again in ${waitOf(retryAfter)}.` : sentence, requestId };
}

const waitOf = (seconds: number) => (seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`);

/** The same in one line, for a toast. */
export function errorNoticeOf(error: unknown): string {
  const { sentence, requestId } = errorMessageOf(error);
  return requestId ? `${sentence} Request ID: ${requestId}` : sentence;
}
