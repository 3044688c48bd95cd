import { failure } from '../platform/result';

/** What the ways in and the sessions can refuse (contract section 10). */
export const AuthFailures = {
  invalidCredentials: failure(
    'INVALID_CREDENTIALS',
    'unauthenticated',
    'The email address or the password is not right.',
  ),
  tooManyAttempts: failure('TOO_MANY_ATTEMPTS', 'too-many', 'Too many failed attempts. Try again later.'),
  invalidToken: failure('INVALID_TOKEN', 'unauthenticated', 'This refresh token is not known.'),
  tokenExpired: failure('TOKEN_EXPIRED', 'unauthenticated', 'This refresh token has expired. Please sign in again.'),
  tokenReused: failure(
    'TOKEN_REUSE_DETECTED',
    'unauthenticated',
    'This refresh token was used before. For your safety the session has been ended; please sign in again.',
  ),
  verificationInvalid: failure(
    'VERIFICATION_TOKEN_INVALID',
    'invalid',
    'This verification link is not valid, or was used before.',
  ),
  verificationExpired: failure(
    'VERIFICATION_TOKEN_EXPIRED',
    'invalid',
    'This verification link has expired. Ask for a new one.',
  ),
  magicLinkInvalid: failure('MAGIC_LINK_INVALID', 'invalid', 'This sign-in link is not valid, or was used before.'),
  magicLinkExpired: failure('MAGIC_LINK_EXPIRED', 'invalid', 'This sign-in link has expired. Ask for a new one.'),
  resetInvalid: failure('RESET_TOKEN_INVALID', 'invalid', 'This reset link is not valid, or was used before.'),
  resetExpired: failure('RESET_TOKEN_EXPIRED', 'invalid', 'This reset link has expired. Ask for a new one.'),
  providerNotConfigured: failure(
    'PROVIDER_NOT_CONFIGURED',
    'missing',
    'Signing in with this provider is not set up here.',
  ),
  providerDenied: failure('PROVIDER_DENIED', 'invalid', 'Signing in was not allowed at the provider.'),
  providerStateInvalid: failure(
    'PROVIDER_STATE_INVALID',
    'invalid',
    'This sign-in was not begun in this browser, or too long ago. Please begin again.',
  ),
  providerEmailUnverified: failure(
    'PROVIDER_EMAIL_UNVERIFIED',
    'invalid',
    'The provider does not vouch for your email address. Verify it there first.',
  ),
  providerFailed: failure(
    'PROVIDER_FAILED',
    'invalid',
    'The provider did not answer as it should. Please try again later.',
  ),
  lastWayIn: failure('LAST_WAY_IN', 'conflict', 'This is the last way into your account. Set a password first.'),
  hasPassword: failure('CONFLICT', 'conflict', 'Your account has a password. SubscriptionChange it instead.'),
  stepUpRequired: failure(
    'STEP_UP_REQUIRED',
    'forbidden',
    'This needs a session that began in the last 10 minutes. Please sign in again.',
  ),
  cannotImpersonate: failure('CANNOT_IMPERSONATE', 'forbidden', 'Neither admins nor yourself can be impersonated.'),
  cannotImpersonateDisabled: failure('CONFLICT', 'conflict', 'This account is disabled: enable it first.'),
  cannotDisableYourself: failure('CONFLICT', 'conflict', 'You cannot disable your own account.'),
};
