/** Why a session ended, by the reason that the audit log has; signing out needs no words. */
const REASONS: Readonly<Record<string, string>> = {
  'account-secured': 'The user reported that it was not them',
  'deletion-planned': 'The user is deleting the account',
  disabled: 'Support disabled the account',
  'email-changed': 'The email address was changed',
  'ended-by-operator': 'Ended by support',
  'ended-by-user': 'Ended by the user',
  logout: '',
  'mailbox-claimed': 'The owner of the email address took over the account',
  'password-changed': 'The password was changed',
  'password-reset': 'The password was reset',
  'second-factor-changed': 'The second factor was changed',
  'token-reuse': 'A token of the session was used twice',
};

/**
 * Reasons that are not known here are shown as they are. Entries of a deleted account have none.
 */
export const sessionEndReason = (reason: unknown): string =>
  typeof reason === 'string' ? (REASONS[reason] ?? reason) : '';
