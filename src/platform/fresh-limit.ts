import { isDeepStrictEqual } from 'node:util';
import type { Result } from './result';

/**
 * Runs work with a limit as it is remembered. If that refuses, the limit is read again, and the
 * work runs a second time if it has changed: what is remembered never refuses what was paid for.
 * @param refusal the code of a refusal because of the limit
 * @param limitOf reads the limit; fresh: as it is now
 * @param work    one transaction, which was rolled back if it is run again
 */
export async function withFreshLimit<Limit, T, C extends string>(
  refusal: string,
  limitOf: (isFresh: boolean) => Promise<Limit>,
  work: (limit: Limit) => Promise<Result<T, C>>,
): Promise<Result<T, C>> {
  const remembered = await limitOf(false);
  const result = await work(remembered);
  if (result.ok || result.failure.code !== refusal) return result;
  const current = await limitOf(true);
  return isDeepStrictEqual(current, remembered) ? result : work(current);
}
