/** A success with its value. */
export class Ok<T> {
  readonly ok = true as const;
  constructor(readonly value: T) {}
}

/** An expected failure. Exceptions are for bugs and broken infrastructure. */
export class Err<F extends Failure = Failure> {
  readonly ok = false as const;
  constructor(readonly failure: F) {}
}

export type Result<T = void, F extends Failure = Failure> = Ok<T> | Err<F>;

export function ok(): Ok<void>;
export function ok<T>(value: T): Ok<T>;
export function ok(value?: unknown): Ok<unknown> {
  return new Ok(value);
}

export function err<F extends Failure>(failure: F): Err<F> {
  return new Err(failure);
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
  | 'too-many'
  | 'internal'
  | 'unavailable';

/** A failure: a stable code for programs and a sentence for people. */
export interface Failure<Code extends string = string> {
  readonly code: Code;
  readonly kind: FailureKind;
  readonly message: string;
  /** Messages by field name; only with VALIDATION_ERROR. */
  readonly details?: Readonly<Record<string, readonly string[]>>;
  /** Seconds after which a retry makes sense; sent as Retry-After. */
  readonly retryAfter?: number;
}

/** Declares a failure. Each module lists its failures in `<module>.failures.ts`. */
export function failure<Code extends string>(code: Code, kind: FailureKind, message: string): Failure<Code> {
  return Object.freeze({ code, kind, message });
}
