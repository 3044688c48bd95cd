import { failure } from '../platform/result';

/** Failures of audit streams (docs/contract.md, Audit streams). */
export const AuditStreamFailures = {
  tooManyStreams: failure('LIMIT_REACHED', 'conflict', 'A tenant can have at most 2 audit streams. Delete one first.'),
  notReader: failure('PERMISSION_NOT_HELD', 'forbidden', 'Only members who can view the audit log can stream it.'),
  disabledByOperator: failure(
    'CONFLICT',
    'conflict',
    'An operator of the service disabled the receiver at this host. Contact support.',
  ),
};
