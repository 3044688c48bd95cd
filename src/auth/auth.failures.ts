import { failure } from '../platform/result';

/** The failures of sign-in and sessions (docs/contract.md, Error codes). */
export const AuthFailures = {
  invalidCredentials: failure('INVALID_CREDENTIALS', 'unauthenticated', 'Incorrect email or password.'),
  tooManyAttempts: failure('TOO_MANY_ATTEMPTS', 'too-many', 'Too many failed attempts. Try again later.'),
  invalidToken: failure('INVALID_TOKEN', 'unauthenticated', 'This refresh token is invalid.'),
  tokenExpired: failure('TOKEN_EXPIRED', 'unauthenticated', 'This refresh token has expired. Sign in again.'),
  tokenReused: failure(
    'TOKEN_REUSE_DETECTED',
    'unauthenticated',
    'This refresh token was already used. For security, the session was ended. Sign in again.',
  ),
  verificationInvalid: failure(
    'VERIFICATION_TOKEN_INVALID',
    'invalid',
    'This verification link is invalid or was already used.',
  ),
  verificationExpired: failure(
    'VERIFICATION_TOKEN_EXPIRED',
    'invalid',
    'This verification link has expired. Request a new one.',
  ),
  magicLinkInvalid: failure('MAGIC_LINK_INVALID', 'invalid', 'This sign-in link is invalid or was already used.'),
  magicLinkExpired: failure('MAGIC_LINK_EXPIRED', 'invalid', 'This sign-in link has expired. Request a new one.'),
  resetInvalid: failure('RESET_TOKEN_INVALID', 'invalid', 'This reset link is invalid or was already used.'),
  resetExpired: failure('RESET_TOKEN_EXPIRED', 'invalid', 'This reset link has expired. Request a new one.'),
  providerNotConfigured: failure('PROVIDER_NOT_CONFIGURED', 'missing', 'Sign-in with this provider is not configured.'),
  providerDenied: failure('PROVIDER_DENIED', 'invalid', 'Sign-in was canceled at the provider.'),
  providerStateInvalid: failure(
    'PROVIDER_STATE_INVALID',
    'invalid',
    'This sign-in was started in another browser or has expired. Start again.',
  ),
  providerEmailUnverified: failure(
    'PROVIDER_EMAIL_UNVERIFIED',
    'invalid',
    'The provider has not verified your email address. Verify it there first.',
  ),
  providerFailed: failure('PROVIDER_FAILED', 'invalid', 'The provider returned an error. Try again later.'),
  lastWayIn: failure('LAST_WAY_IN', 'conflict', 'This is your last sign-in method. Set a password first.'),
  hasPassword: failure('CONFLICT', 'conflict', 'Your account already has a password. Change it instead.'),
  ticketInvalid: failure('TICKET_INVALID', 'unauthenticated', 'This sign-in has expired. Start again.'),
  policyWouldLockYouOut: failure(
    'POLICY_WOULD_LOCK_YOU_OUT',
    'conflict',
    'You or the Owner would not meet this policy. First add a second factor, or sign in with an allowed method.',
  ),
  emailCodeInvalid: failure(
    'EMAIL_CODE_INVALID',
    'unauthenticated',
    'This code is incorrect, was already used or has expired. Request a new one.',
  ),
  cannotImpersonate: failure('CANNOT_IMPERSONATE', 'forbidden', 'You cannot impersonate admins or yourself.'),
  cannotImpersonateDisabled: failure('CONFLICT', 'conflict', 'This account is disabled. Enable it first.'),
  cannotMailDisabled: failure('CONFLICT', 'conflict', 'This account is disabled. Enable it first.'),
  alreadyVerified: failure('CONFLICT', 'conflict', 'The email of this account is already verified.'),
  cannotDisableYourself: failure('CONFLICT', 'conflict', 'You cannot disable your own account.'),
};
