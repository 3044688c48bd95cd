import type { Request } from 'express';
import { invalid } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';

/** The header of a write that can be repeated (docs/contract.md, Repeated writes). */
export const IDEMPOTENCY_KEY = 'Idempotency-Key';

/** Of a response: it is the stored one of an earlier request. */
export const IDEMPOTENCY_REPLAYED = 'Idempotency-Replayed' as const;

const WRITES = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** Whether a request changes something. */
export const isWrite = ({ method }: Pick<Request, 'method'>): boolean => WRITES.includes(method);

/** Long enough for 96 random bits; printable characters without spaces. */
const FORM = /^[\x21-\x7e]{16,200}$/;

/** The same for the API document. */
export const KEY_LENGTHS = { minLength: 16, maxLength: 200 };
const REFUSED = invalid({ [IDEMPOTENCY_KEY]: ['must be 16 to 200 printable characters without spaces'] });

/** The key of a request; undefined without one. VALIDATION_ERROR. */
export function idempotencyKeyOf(request: Request): Result<string | undefined, 'VALIDATION_ERROR'> {
  const key = request.get(IDEMPOTENCY_KEY);
  return key === undefined || FORM.test(key) ? ok(key) : err(REFUSED);
}
