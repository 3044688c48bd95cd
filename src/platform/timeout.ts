/** Thrown to whoever waited for something that did not come in time. */
export class TimeoutError extends Error {}

/**
 * What a promise gives, as long as it does so in time; what it gives later is ignored.
 * @throws Overdue after so many milliseconds
 */
export async function withTimeout<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutError(`Nothing came withTimeout ${milliseconds} ms.`)), milliseconds);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
