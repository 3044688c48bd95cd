/**
 * A lock that all tabs of an origin share by its name (Web Locks). Browsers have Web Locks with
 * HTTPS and on localhost only. Without them, as in Node, the lock covers this client alone.
 */
export class CrossTabLock {
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly name: string) {}

  /**
   * Runs the work while no other tab holds the lock. A tab that is closed releases the lock.
   * @throws the signal's reason if it is aborted while waiting for the lock
   */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const locks = typeof window === 'undefined' ? undefined : navigator.locks;
    if (locks) return locks.request(this.name, { signal }, work);
    const done = this.last.then(() => {
      signal?.throwIfAborted();
      return work();
    });
    this.last = done.catch(() => undefined);
    return done;
  }
}
