import { invalid } from '../platform/platform.failures';
import { failure } from '../platform/result';

/** The failures of the accounts module (docs/contract.md, Error codes). */
export const AccountFailures = {
  sameEmail: invalid({ email: ['is already the address of your account'] }),
  tooManyEmailChanges: failure(
    'LIMIT_REACHED',
    'conflict',
    'Your email address was changed five times in the last three days. Try again later.',
  ),
  undoInvalid: failure('UNDO_TOKEN_INVALID', 'invalid', 'This link is invalid, or the change was already undone.'),
  undoExpired: failure('UNDO_TOKEN_EXPIRED', 'invalid', 'This link has expired. The change can no longer be undone.'),
  adminNotDeletable: failure(
    'ACCOUNT_DELETION_BLOCKED',
    'conflict',
    'An account with admin access cannot be deleted. Ask another admin to revoke the access first.',
  ),
  deletionBlocked: failure(
    'ACCOUNT_DELETION_BLOCKED',
    'conflict',
    'Some of your tenants prevent the deletion of your account. GET /users/me/deletion lists them.',
  ),
};
