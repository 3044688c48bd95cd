import type { Request } from 'express';
import { invalid } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';

/** The header of a refresh that can be repeated (docs/contract.md, Refresh). */
export const IDEMPOTENCY_KEY = 'Idempotency-Key';

/** Long enough for 96 random bits; printable characters without spaces. */
const FORM = /^[\x21-\x7e]{16,200}$/;
const REFUSED = invalid({ [IDEMPOTENCY_KEY]: ['must be 16 to 200 printable characters without spaces'] });

/** The key of a request; undefined without one. VALIDATION_ERROR. */
export function idempotencyKeyOf(request: Request): Result<string | undefined, 'VALIDATION_ERROR'> {
  const key = request.get(IDEMPOTENCY_KEY);
  return key === undefined || FORM.test(key) ? ok(key) : err(REFUSED);
}
