import type { ERROR_CODES, components, paths } from './schema.js';

/** The schemas of the API document, by name. */
export type Schemas = components['schemas'];

/** Every error code of the API. The fragment of a redirect carries the same codes. */
export type ErrorCode = (typeof ERROR_CODES)[number];

/**
 * Codes of the client itself. UNREACHABLE: the service did not answer. SESSION_CHANGED: another
 * account or tenant became active in another tab while the request was waiting. PASSKEY_CANCELED:
 * the user did not use a passkey, or was not verified. PASSKEY_EXISTS: the authenticator has one
 * already. PASSKEYS_UNAVAILABLE: this browser or page cannot use them.
 */
export type ClientErrorCode =
  'UNREACHABLE' | 'SESSION_CHANGED' | 'PASSKEY_CANCELED' | 'PASSKEY_EXISTS' | 'PASSKEYS_UNAVAILABLE';

/** An error of the API. Branch on `code`; `message` is an English sentence for developers. */
export interface Failure<Code extends string = ErrorCode | ClientErrorCode> {
  readonly code: Code;
  readonly message: string;
  /**
   * For VALIDATION_ERROR: the messages of each field. Nested fields are named `a.b`, array items
   * `permissions.0`. For PLAN_REQUIRED and SEAT_LIMIT: `entitlement`, `limit`, `used` and the plans
   * that have more, `requiredPlan`.
   */
  readonly details?: Readonly<Record<string, readonly string[]>>;
  /** The HTTP status, or 0 without a response. */
  readonly status: number;
  /** X-Request-Id. Operators of the service find the request in their logs by it. */
  readonly requestId: string | null;
  /** Retry-After: seconds to wait before the next attempt, if the service sent it. */
  readonly retryAfter: number | null;
}

/** The result of an operation: its data, or an error. Expected errors are values and not thrown. */
export type Answer<Data, Code extends string = ErrorCode | ClientErrorCode> =
  { readonly ok: true; readonly data: Data } | { readonly ok: false; readonly error: Failure<Code> };

/** A `Failure` as an exception, thrown by `unwrap`. It has the same properties, and `message`. */
export class ApiError extends Error implements Failure {
  override readonly name = 'ApiError';
  readonly code: ErrorCode | ClientErrorCode;
  readonly details?: Failure['details'];
  readonly status: number;
  readonly requestId: string | null;
  readonly retryAfter: number | null;

  readonly failure: Failure;

  /** @param failure its code is one of the API document or of the client */
  constructor(failure: Failure<string>) {
    super(failure.message);
    this.failure = failure as Failure;
    this.code = this.failure.code;
    this.details = failure.details;
    this.status = failure.status;
    this.requestId = failure.requestId;
    this.retryAfter = failure.retryAfter;
  }
}

/** @returns the data of an answer. @throws ApiError if the answer is an error */
export function unwrap<Data, Code extends string>(answer: Answer<Data, Code>): Data {
  if (answer.ok) return answer.data;
  throw new ApiError(answer.error);
}

export type Paths = paths;
type Json<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : never;
type Bodies<Operation> = Operation extends { responses: infer Responses }
  ? { [Status in keyof Responses]: Json<Responses[Status]> }[keyof Responses]
  : never;

/** The type of `data` in the response of an operation. */
export type DataOf<Operation> = Extract<Bodies<Operation>, { success: true }>['data'];

/** The error codes that an operation can return. */
export type CodeOf<Operation> =
  (Extract<Bodies<Operation>, { success: false }>['error']['code'] & string) | ClientErrorCode;
