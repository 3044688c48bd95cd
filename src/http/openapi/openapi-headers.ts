import type { Failure } from '../../platform/result';
import { FRESH } from '../access/access';
import { isKept } from '../idempotency/stored-answers';
import { IDEMPOTENCY_REPLAYED, isWrite } from '../idempotency/idempotency-key';
import { READ_AFTER } from '../requests/read-after';
import { REQUEST_ID } from '../requests/request-id.middleware';
import { HTTP_STATUS } from '../responses/http-status';
import { RETRY_AFTER } from '../responses/retry-after';
import { hasIdempotencyKey } from './openapi-idempotency';
import { extensionOf, takeExtension, type ReferenceObject, type RoutedOperation } from './openapi-operations';
import { FAILURES, SETS_COOKIE } from './openapi-responses.decorator';
import { refersTo, type HeaderName } from './shared-headers';

/** The header of a refusal for which the identity must be confirmed again (RFC 9470). */
const CHALLENGE = 'WWW-Authenticate' as const;
const COOKIE = 'Set-Cookie' as const;
const { invalid: INVALID, forbidden: FORBIDDEN } = HTTP_STATUS;

/** The headers of the responses of one operation, as far as the service sends them. */
export class OperationHeaders {
  private readonly isWrite: boolean;
  private readonly isKeyed: boolean;
  private readonly isFresh: boolean;
  private readonly setsCookie: boolean;
  /** The codes of failures that the route itself returns, as opposed to what guards it. */
  private readonly ownCodes: ReadonlySet<string>;

  /** Reads the declarations of an operation, before its responses replace them. */
  constructor({ method, operation }: Pick<RoutedOperation, 'method' | 'operation'>) {
    this.isWrite = isWrite({ method: method.toUpperCase() });
    this.isKeyed = hasIdempotencyKey(operation);
    this.isFresh = extensionOf(operation, FRESH) !== undefined;
    this.setsCookie = takeExtension<true>(operation, SETS_COOKIE) ?? false;
    this.ownCodes = new Set(extensionOf<Failure[]>(operation, FAILURES)?.map(({ code }) => code));
  }

  /** Of a success, or of a redirect. */
  get ofSuccess(): HeaderName[] {
    return [
      REQUEST_ID,
      ...(this.isWrite ? [READ_AFTER] : []),
      ...(this.isKeyed ? [IDEMPOTENCY_REPLAYED] : []),
      ...(this.setsCookie ? [COOKIE] : []),
    ];
  }

  /**
   * Of failures with one status. What a guard refuses is not stored for a repetition, and has
   * written nothing; wrong input has written nothing.
   */
  ofFailures(status: number, failures: readonly Failure[]): HeaderName[] {
    const isOwn = failures.some(({ code }) => this.ownCodes.has(code));
    const isStored = isKept(status) && (isOwn || status === INVALID);
    return [
      REQUEST_ID,
      ...(failures.some(asksToWait) ? [RETRY_AFTER] : []),
      ...(this.isWrite && isOwn ? [READ_AFTER] : []),
      ...(this.isKeyed && isStored ? [IDEMPOTENCY_REPLAYED] : []),
      ...(this.isFresh && status === FORBIDDEN ? [CHALLENGE] : []),
    ];
  }

  /** Of the failures of the transport, among them those that end a command too early. */
  get ofTransport(): HeaderName[] {
    return [REQUEST_ID, RETRY_AFTER, ...(this.isWrite ? [READ_AFTER] : [])];
  }
}

/** Whether a failure says how long to wait: always (429, or as declared), or if it is known. */
const asksToWait = ({ kind, retryAfter }: Failure): boolean =>
  kind === 'too-many' || kind === 'unavailable' || retryAfter !== undefined;

/** A name for what a component has in addition to others with the same content. */
export function variantName(name: string, headers: readonly HeaderName[]): string {
  const has = (header: HeaderName) => headers.includes(header);
  const [isReplayed, isWritten] = [has(IDEMPOTENCY_REPLAYED), has(READ_AFTER)];
  const prefix = isReplayed ? (isWritten ? 'Write' : 'Keyed') : isWritten ? 'Command' : '';
  return `${prefix}${name}${has(COOKIE) ? 'WithCookie' : ''}${has(CHALLENGE) ? 'WithChallenge' : ''}`;
}

/** References to headers, for a response. */
export const headersOf = (names: readonly HeaderName[]): Record<string, ReferenceObject> =>
  Object.fromEntries(names.map((name) => [name, refersTo(name)]));
