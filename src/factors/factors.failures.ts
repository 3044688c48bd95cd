import { failure } from '../platform/result';

/** The failures of second factors (docs/contract.md, Error codes). */
export const FactorFailures = {
  secondFactorInvalid: failure(
    'SECOND_FACTOR_INVALID',
    'unauthenticated',
    'This code is incorrect or was already used. Enter the current one.',
  ),
  codesPaused: failure(
    'TOO_MANY_ATTEMPTS',
    'too-many',
    'Too many incorrect codes in a row. Use a recovery code first; codes are accepted again afterwards.',
  ),
  tooManyAttempts: failure('TOO_MANY_ATTEMPTS', 'too-many', 'Too many failed attempts. Try again later.'),
  factorExists: failure('FACTOR_EXISTS', 'conflict', 'You already use an authenticator app. Remove it first.'),
  passkeyInvalid: failure('PASSKEY_INVALID', 'unauthenticated', 'This passkey could not be verified. Try again.'),
  passkeyUnknown: failure('PASSKEY_UNKNOWN', 'missing', 'This passkey is unknown. It may have been removed.'),
  challengeExpired: failure(
    'CHALLENGE_EXPIRED',
    'invalid',
    'This challenge has expired or was already used. Try again.',
  ),
  tooManyPasskeys: failure('LIMIT_REACHED', 'conflict', 'You can have at most 20 passkeys. Remove one first.'),
  lastWayIn: failure('LAST_WAY_IN', 'conflict', 'This is your last sign-in method. Set a password first.'),
  noFactor: failure('NOT_FOUND', 'missing', 'You have no authenticator app.'),
  ownFactorReset: failure(
    'SECOND_OPERATOR_REQUIRED',
    'forbidden',
    'Only two other operators can reset your own second factor.',
  ),
  secondOperatorRequired: failure(
    'SECOND_OPERATOR_REQUIRED',
    'forbidden',
    'You requested this reset. Another operator must approve it.',
  ),
  hasNoFactor: failure('CONFLICT', 'conflict', 'This account has no second factor.'),
  resetIsOpen: failure('CONFLICT', 'conflict', 'There is already an open request for this user.'),
  resetNotWaiting: failure('CONFLICT', 'conflict', 'This request is no longer waiting for approval.'),
  resetClosed: failure('CONFLICT', 'conflict', 'This request is no longer open.'),
  noOpenReset: failure('NOT_FOUND', 'missing', 'No reset of your second factor is scheduled.'),
};
