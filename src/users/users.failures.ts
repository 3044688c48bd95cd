import { failure } from '../platform/result';

/** The failures of the users module. */
export const UserFailures = {
  emailTaken: failure('EMAIL_TAKEN', 'conflict', 'An account with this email address already exists.'),
  emailNotVerified: failure('EMAIL_NOT_VERIFIED', 'invalid', 'Verify your email address first.'),
  accountDisabled: failure('ACCOUNT_DISABLED', 'forbidden', 'This account has been disabled.'),
};
