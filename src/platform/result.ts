/** A success that carries its value. */
export class Ok<T> {
  readonly ok = true as const;
  constructor(readonly value: T) {}
}

/** An expected refusal. Exceptions are left for bugs and broken infrastructure. */
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
 * What kind of refusal it is, in the terms of the domain; `http/responses/http-status.ts` turns it into an
 * HTTP status.
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

/**
 * A refusal as every part of the service speaks of it: a stable code for machines, a sentence for
 * people.
 */
export interface Failure<Code extends string = string> {
  readonly code: Code;
  readonly kind: FailureKind;
  readonly message: string;
  /** Field name to what is wrong with it; only with VALIDATION_ERROR. */
  readonly details?: Readonly<Record<string, readonly string[]>>;
  /** Seconds after which a repetition makes sense; becomes the Retry-After header. */
  readonly retryAfter?: number;
}

/** Declares a failure; the catalogue of a module is a list of these. */
export function failure<Code extends string>(code: Code, kind: FailureKind, message: string): Failure<Code> {
  return Object.freeze({ code, kind, message });
}
