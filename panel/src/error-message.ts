import { ApiError, type ClientErrorCode, type ErrorCode, type Failure } from '@tenantry/client';

/**
 * What an operator can do about a refusal, where the service's own sentence does not say it best.
 */
const SENTENCES: Partial<Record<ErrorCode | ClientErrorCode, string>> = {
  UNREACHABLE: 'The service does not answer. Check that it runs, then try again.',
  UNAVAILABLE: 'The service cannot reach its database right now. Try again in a moment.',
  BILLING_UNAVAILABLE: 'The payment processor is not set up, or cannot be reached. Nothing was changed.',
  INTERNAL_ERROR: 'Something went wrong inside the service. The request id leads to it in the log.',
  NOT_FOUND: 'There is nothing under this address. It may have been deleted meanwhile.',
  FORBIDDEN: 'Your account is not an operator any more. Sign in again to be sure.',
  INVALID_CREDENTIALS: 'This address and password do not belong together.',
  EMAIL_NOT_VERIFIED: 'This address is not verified yet. Open the link that was mailed to it first.',
  ACCOUNT_DISABLED: 'This account is disabled. Another operator can enable it.',
  CANNOT_IMPERSONATE: 'Operators cannot be impersonated, nor can you impersonate yourself.',
  NOT_WHILE_IMPERSONATING: 'This is not possible while you act as somebody else.',
  RATE_LIMITED: 'That were too many requests in a minute. Wait a little.',
  TOO_MANY_ATTEMPTS: 'Too many attempts with this address. Wait before you try again.',
  SESSION_CHANGED: 'Somebody else signed in meanwhile in another tab. Look at the page again before you repeat this.',
};

/** A refused request as a sentence, with the id under which the service's log tells more. */
export function errorMessageOf(error: unknown): { sentence: string; requestId: string | null } {
  if (!(error instanceof ApiError))
    return { sentence: error instanceof Error ? error.message : 'Something went wrong in this page.', requestId: null };
  const { code, message, details, requestId, retryAfter } = error.failure as Failure;
  const fields = Object.entries(details ?? {}).map(([field, messages]) => `${field} ${messages.join(', ')}`);
  const wait = retryAfter ? ` (${retryAfter} seconds)` : '';
  return {
    sentence: (fields.length > 0 ? `Not accepted: ${fields.join('; ')}.` : (SENTENCES[code] ?? message)) + wait,
    requestId,
  };
}

/** The same in one line, for a notice that goes away. */
export function errorNoticeOf(error: unknown): string {
  const { sentence, requestId } = errorMessageOf(error);
  return requestId ? `${sentence} Request ${requestId}` : sentence;
}
