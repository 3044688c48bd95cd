import { failure } from './result';

/** Failures that belong to no module (docs/contract.md, Error codes). */
export const PlatformFailures = {
  validation: failure('VALIDATION_ERROR', 'invalid', 'Some fields are missing or invalid.'),
  unauthenticated: failure('UNAUTHENTICATED', 'unauthenticated', 'A valid access token is required.'),
  accessTokenExpired: failure('ACCESS_TOKEN_EXPIRED', 'unauthenticated', 'The access token has expired.'),
  sessionEnded: failure(
    'SESSION_ENDED',
    'unauthenticated',
    'The session of this access token has ended. Refresh, or sign in again.',
  ),
  apiKeyExpired: failure('API_KEY_EXPIRED', 'unauthenticated', 'This API key has expired.'),
  apiKeyRevoked: failure('API_KEY_REVOKED', 'unauthenticated', 'This API key has been revoked.'),
  apiKeyNotAllowed: failure(
    'API_KEY_NOT_ALLOWED',
    'forbidden',
    'This can only be done by a person, not with an API key.',
  ),
  addressNotAllowed: failure('ADDRESS_NOT_ALLOWED', 'forbidden', 'This API key cannot be used from this address.'),
  tokenWithoutSecondFactor: failure(
    'SECOND_FACTOR_REQUIRED',
    'forbidden',
    'This tenant requires a second factor, which was not proven where this token was created. Create another one.',
  ),
  tokenMethodNotAllowed: failure(
    'SIGN_IN_METHOD_NOT_ALLOWED',
    'forbidden',
    'This tenant does not allow the sign-in method with which this token was created. Create another one.',
  ),
  secondFactorRequired: failure(
    'SECOND_FACTOR_REQUIRED',
    'forbidden',
    'This tenant requires a second factor. Add one, or confirm your identity with it.',
  ),
  methodNotAllowed: failure(
    'SIGN_IN_METHOD_NOT_ALLOWED',
    'forbidden',
    'This tenant does not allow your sign-in method. Sign in with another one.',
  ),
  sessionTooOld: failure(
    'SESSION_TOO_OLD',
    'forbidden',
    'Your session is older than this tenant allows. Sign in again.',
  ),
  forbidden: failure('FORBIDDEN', 'forbidden', 'You are not allowed to do this.'),
  stepUpRequired: failure(
    'STEP_UP_REQUIRED',
    'forbidden',
    'Confirm your identity with POST /auth/step-up, then try again.',
  ),
  notWhileImpersonating: failure(
    'NOT_WHILE_IMPERSONATING',
    'forbidden',
    'This cannot be done while impersonating a user.',
  ),
  notFound: failure('NOT_FOUND', 'missing', 'The resource does not exist.'),
  idempotencyInProgress: failure(
    'IDEMPOTENCY_IN_PROGRESS',
    'conflict',
    'A request with this Idempotency-Key is still running. Try again shortly.',
    1,
  ),
  idempotencyKeyReused: failure(
    'IDEMPOTENCY_KEY_REUSED',
    'mismatched',
    'This Idempotency-Key was used for another request.',
  ),
  payloadTooLarge: failure('PAYLOAD_TOO_LARGE', 'too-large', 'The request body is too large.'),
  unsupportedMediaType: failure(
    'UNSUPPORTED_MEDIA_TYPE',
    'unsupported',
    'The body must be JSON (application/json, UTF-8).',
  ),
  rateLimited: failure('RATE_LIMITED', 'too-many', 'Too many requests. Try again later.'),
  internal: failure('INTERNAL_ERROR', 'internal', 'Something went wrong on our side.'),
  outcomeUnknown: failure(
    'OUTCOME_UNKNOWN',
    'unavailable',
    'It is not known whether this was done. Repeat it with the same Idempotency-Key, or look before you repeat it.',
  ),
  unavailable: failure('UNAVAILABLE', 'unavailable', 'The service cannot answer right now. Try again shortly.'),
};

/** A VALIDATION_ERROR with messages by field. */
export function invalid(details: Record<string, string[]>) {
  return Object.freeze({ ...PlatformFailures.validation, details });
}
