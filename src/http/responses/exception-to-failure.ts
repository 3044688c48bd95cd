import { HttpException } from '@nestjs/common';
import { isUnavailable, isUnstorableText, OutcomeUnknown } from '../../platform/database/database-errors';
import { PlatformFailures, invalid } from '../../platform/platform.failures';
import type { Failure } from '../../platform/result';
import { FailureException } from './http-status';

/** Seconds in Retry-After when the service itself has a problem. */
const UNAVAILABLE_RETRY_SECONDS = 5;

/**
 * Maps an exception to a failure. An unexpected error becomes INTERNAL_ERROR without its message.
 */
export function exceptionToFailure(thrown: unknown): Failure {
  if (thrown instanceof FailureException) return thrown.failure;
  if (isUnavailable(thrown)) {
    const failure = thrown instanceof OutcomeUnknown ? PlatformFailures.outcomeUnknown : PlatformFailures.unavailable;
    return { ...failure, retryAfter: UNAVAILABLE_RETRY_SECONDS };
  }
  if (isUnstorableText(thrown)) return invalid({ body: ['contains characters that cannot be stored'] });
  switch (statusOf(thrown)) {
    case 400:
      return invalid({ body: ['is not valid JSON, or the URL is malformed'] });
    case 404:
      return PlatformFailures.notFound;
    case 413:
      return PlatformFailures.payloadTooLarge;
    case 415:
      return PlatformFailures.unsupportedMediaType;
    default:
      return PlatformFailures.internal;
  }
}

/** The status that Nest, Express or the body parser chose; undefined for any other error. */
function statusOf(thrown: unknown): number | undefined {
  if (thrown instanceof HttpException) return thrown.getStatus();
  const { status, expose } = thrown as { status?: number; expose?: boolean };
  return expose || thrown instanceof URIError ? status : undefined;
}
