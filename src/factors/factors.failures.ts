import { failure } from '../platform/result';

/** The failures of second factors (docs/contract.md, Error codes). */
export const FactorFailures = {
  secondFactorInvalid: failure(
    'SECOND_FACTOR_INVALID',
    'unauthenticated',
    'This code is incorrect or was already used. Enter the current one.',
  ),
  tooManyAttempts: failure('TOO_MANY_ATTEMPTS', 'too-many', 'Too many failed attempts. Try again later.'),
  factorExists: failure('FACTOR_EXISTS', 'conflict', 'You already use an authenticator app. Remove it first.'),
  noFactor: failure('NOT_FOUND', 'missing', 'You have no authenticator app.'),
};
