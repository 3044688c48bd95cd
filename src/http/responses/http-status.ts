import { HTTP_CODE_METADATA } from '@nestjs/common/constants';
import type { Failure, FailureKind } from '../../platform/result';

/** Maps the kind of a failure to an HTTP status; the only place that does. */
export const HTTP_STATUS: Record<FailureKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  unpaid: 402,
  forbidden: 403,
  missing: 404,
  conflict: 409,
  'too-large': 413,
  unsupported: 415,
  mismatched: 422,
  'too-many': 429,
  internal: 500,
  unavailable: 503,
};

/** The status of a success of a route: 200 unless it declares another. */
export const successStatusOf = (handler: object): number =>
  (Reflect.getMetadata(HTTP_CODE_METADATA, handler) as number | undefined) ?? 200;

/**
 * Carries a failure through Nest's exception layer to the filter that writes error bodies. Thrown
 * in the HTTP layer only.
 */
export class FailureException extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}
