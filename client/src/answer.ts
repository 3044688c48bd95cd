import type { ERROR_CODES, components, paths } from './schema.js';

/** The views and bodies of the API document, by their names. */
export type Schemas = components['schemas'];

/** Every code that an answer, or the fragment of a redirect, can carry. */
export type ErrorCode = (typeof ERROR_CODES)[number];

/**
 * What the client adds to them: the service was not reached; somebody else signed in, in another
 * tab, while a request was on its way.
 */
export type ClientErrorCode = 'UNREACHABLE' | 'SESSION_CHANGED';

/** A refusal. Branch on `code`; `message` is an English sentence for developers. */
export interface Failure<Code extends string = ErrorCode | ClientErrorCode> {
  readonly code: Code;
  readonly message: string;
  /**
   * With VALIDATION_ERROR: field name to messages; nested fields as `a.b`, array items as
   * `permissions.0`.
   */
  readonly details?: Readonly<Record<string, readonly string[]>>;
  /** The HTTP status; 0 where there was no answer. */
  readonly status: number;
  /** X-Request-Id: what to give to the operators of the service. */
  readonly requestId: string | null;
  /** Seconds to wait before trying again, where the service says so. */
  readonly retryAfter: number | null;
}

/**
 * What an operation came to: its data, or why not. Expected refusals are values; nothing is thrown
 * for them.
 */
export type Answer<Data, Code extends string = ErrorCode | ClientErrorCode> =
  { readonly ok: true; readonly data: Data } | { readonly ok: false; readonly error: Failure<Code> };

/** The refusal as an exception, for code that prefers them (see `unwrap`). */
export class ApiError<Code extends string = ErrorCode | ClientErrorCode> extends Error {
  override readonly name = 'ApiError';

  constructor(readonly failure: Failure<Code>) {
    super(failure.message);
  }
}

/** The data of an answer. @throws ApiError for a refusal */
export function unwrap<Data, Code extends string>(answer: Answer<Data, Code>): Data {
  if (answer.ok) return answer.data;
  throw new ApiError(answer.error);
}

export type Paths = paths;
type Json<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : never;
type Bodies<Operation> = Operation extends { responses: infer Responses }
  ? { [Status in keyof Responses]: Json<Responses[Status]> }[keyof Responses]
  : never;

/** What an operation of the document returns in `data`. */
export type DataOf<Operation> = Extract<Bodies<Operation>, { success: true }>['data'];

/** The codes that an operation of the document can refuse with. */
export type CodeOf<Operation> =
  (Extract<Bodies<Operation>, { success: false }>['error']['code'] & string) | ClientErrorCode;
