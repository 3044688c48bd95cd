/** A success with its value. */
export class Ok<T> {
  readonly ok = true as const;
  constructor(readonly value: T) {}
}

/** An expected failure with its code. Exceptions are for bugs and broken infrastructure. */
export class Err<Code extends string = string> {
  readonly ok = false as const;
  constructor(readonly failure: Failure<Code>) {}
}

/**
 * A success, or a failure with one of these codes. Without codes it always succeeds: what may fail
 * says how, up to the route (`Responds`).
 */
export type Result<T = void, Code extends string = never> = Ok<T> | Err<Code>;

export function ok(): Ok<void>;
export function ok<T>(value: T): Ok<T>;
export function ok(value?: unknown): Ok<unknown> {
  return new Ok(value);
}

export function err<Code extends string>(failure: Failure<Code>): Err<Code> {
  return new Err(failure);
}

/**
 * The same result without failures that cannot happen here. Say why in a comment.
 * @throws if one of them happens after all
 */
export function excluding<T, Code extends string, Impossible extends Code>(
  result: Result<T, Code>,
  ...impossible: readonly Impossible[]
): Result<T, Exclude<Code, Impossible>> {
  if (!result.ok && impossible.some((code) => code === result.failure.code))
    throw new Error(`Should be impossible: ${result.failure.code}`);
  return result as Result<T, Exclude<Code, Impossible>>;
}

/**
 * The kind of a failure in terms of the domain. `http/responses/http-status.ts` maps it to an HTTP
 * status.
 */
export type FailureKind =
  | 'invalid'
  | 'unauthenticated'
  | 'unpaid'
  | 'forbidden'
  | 'missing'
  | 'conflict'
  | 'too-large'
  | 'unsupported'
  | 'mismatched'
  | 'too-many'
  | 'internal'
  | 'unavailable';

/** A failure: a stable code for programs and a sentence for people. */
export interface Failure<Code extends string = string> {
  readonly code: Code;
  readonly kind: FailureKind;
  readonly message: string;
  /**
   * With VALIDATION_ERROR messages by field name; with PLAN_REQUIRED and SEAT_LIMIT what is not
   * included, and the plans that include it.
   */
  readonly details?: Readonly<Record<string, readonly string[]>>;
  /** Seconds after which a retry makes sense; sent as Retry-After. */
  readonly retryAfter?: number;
}

/**
 * Declares a failure. Each module lists its failures in `<module>.failures.ts`.
 * @param retryAfter seconds, if they are always the same
 */
export function failure<Code extends string>(
  code: Code,
  kind: FailureKind,
  message: string,
  retryAfter?: number,
): Failure<Code> {
  return Object.freeze({ code, kind, message, ...(retryAfter === undefined ? {} : { retryAfter }) });
}
