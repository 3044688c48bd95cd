/** A promise did not settle in time. */
export class TimeoutError extends Error {}

/**
 * The result of a promise, if it settles in time. A later result is ignored.
 * @throws TimeoutError after this many milliseconds
 */
export async function withTimeout<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutError(`Timed out after ${milliseconds} ms.`)), milliseconds);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
