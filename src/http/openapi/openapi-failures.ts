import { PlatformFailures } from '../../platform/platform.failures';
import type { Failure } from '../../platform/result';
import { FRESH, LIVE_SESSION, NEEDS, NOT_WHILE_IMPERSONATING } from '../access/access';
import { HTTP_STATUS } from '../responses/http-status';
import { hasIdempotencyKey, hasOwnParameters } from './openapi-idempotency';
import { KEY_FAILURES } from '../access/access.guards';
import { actsInTenantIn, admitsKeysIn, extensionOf, takeExtension, type OperationObject } from './openapi-operations';
import { FAILURES, GUARD_FAILURES } from './openapi-responses.decorator';

/** Failures of the transport, which any operation can have; they form its default response. */
export function transportFailures(operation: OperationObject): readonly Failure[] {
  const failures = operation.requestBody ? WITH_BODY : WITHOUT_BODY;
  return hasIdempotencyKey(operation) ? [...WITH_KEY, ...failures] : failures;
}

/** Why a session is refused where it needs to meet the sign-in policy of the active tenant. */
const POLICY_FAILURES: readonly Failure[] = [
  PlatformFailures.secondFactorRequired,
  PlatformFailures.methodNotAllowed,
  PlatformFailures.sessionTooOld,
];

const { rateLimited, internal, outcomeUnknown, unavailable, payloadTooLarge, unsupportedMediaType } = PlatformFailures;
const WITH_KEY: readonly Failure[] = [
  PlatformFailures.validation,
  PlatformFailures.idempotencyInProgress,
  PlatformFailures.idempotencyKeyReused,
];
const WITHOUT_BODY: readonly Failure[] = [rateLimited, internal, unavailable, outcomeUnknown];
const WITH_BODY: readonly Failure[] = [payloadTooLarge, unsupportedMediaType, ...WITHOUT_BODY];

/**
 * The other failures of an operation, by HTTP status: those that it declares, those of its guards,
 * and those that follow from its kind. A status that one of them has in common with a transport
 * failure lists both.
 */
export function failuresByStatus(operation: OperationObject): Map<number, Failure[]> {
  const own = [FAILURES, GUARD_FAILURES].flatMap((name) => takeExtension<Failure[]>(operation, name) ?? []);
  const byStatus = new Map<number, Failure[]>();
  for (const failure of [...own, ...commonFailures(operation)]) {
    const status = HTTP_STATUS[failure.kind];
    const known = byStatus.get(status) ?? sharedFailures(operation).filter(({ kind }) => HTTP_STATUS[kind] === status);
    if (!known.some(({ code }) => code === failure.code)) byStatus.set(status, [...known, failure]);
  }
  if (byStatus.size === 0) byStatus.set(HTTP_STATUS[rateLimited.kind], [rateLimited]); // linters want one 4xx
  return byStatus;
}

/** A wrong header is a failure of the transport; other wrong input has a response of its own. */
const sharedFailures = (operation: OperationObject) =>
  transportFailures(operation).filter((shared) => shared !== PlatformFailures.validation);

/** Failures that follow from the kind of route: its input and who may use it. */
function commonFailures(operation: OperationObject): Failure[] {
  const { validation, unauthenticated, accessTokenExpired, sessionEnded, forbidden, apiKeyNotAllowed } =
    PlatformFailures;
  const isSecured = Boolean(operation.security?.length);
  const hasInput = operation.requestBody !== undefined || hasOwnParameters(operation);
  return [
    ...(hasInput ? [validation] : []),
    ...(isSecured ? [unauthenticated, accessTokenExpired, sessionEnded] : []),
    ...(isSecured ? (admitsKeysIn(operation) ? KEY_FAILURES : [apiKeyNotAllowed]) : []),
    ...(extensionOf(operation, NEEDS) ? [forbidden] : []),
    ...(extensionOf(operation, FRESH) ? [PlatformFailures.stepUpRequired] : []),
    ...(extensionOf(operation, LIVE_SESSION) && actsInTenantIn(operation) ? POLICY_FAILURES : []),
    ...(extensionOf(operation, NOT_WHILE_IMPERSONATING) ? [PlatformFailures.notWhileImpersonating] : []),
  ];
}
