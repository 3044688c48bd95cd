import type { Failure, FailureKind } from '../../platform/result';

/** The one place where a kind of refusal becomes an HTTP status. */
export const HTTP_STATUS: Record<FailureKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  unpaid: 402,
  forbidden: 403,
  missing: 404,
  conflict: 409,
  'too-large': 413,
  unsupported: 415,
  'too-many': 429,
  internal: 500,
  unavailable: 503,
};

/**
 * Carries a failure through Nest's exception layer, so that one filter writes every error body.
 * Thrown at the edge only.
 */
export class FailureException extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}
