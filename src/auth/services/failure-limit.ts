import type { Store } from 'express-rate-limit';
import { secondsUntil } from '../../platform/clock';

/** A counted attempt, or how many seconds must pass before the next one. */
export type Entry = { readonly place: Place } | { readonly retryAfter: number };

interface UnderWay {
  count: number;
  readonly waiting: (() => void)[];
}

/**
 * At most `max` failures of a key in a window. An attempt counts before it is looked at, so that
 * many at once are not more than many one by one; where the attempts that are under way leave no
 * room, the next one waits for their outcome: simultaneous right ones refuse nobody.
 */
export class FailureLimit {
  private readonly underWay = new Map<string, UnderWay>();

  constructor(
    private readonly store: Store,
    private readonly windowSeconds: number,
    private readonly max: number,
  ) {}

  /** Rejects when the counter cannot be reached. */
  async enter(key: string): Promise<Entry> {
    for (;;) {
      const { totalHits, resetTime } = await this.store.increment(key);
      if (totalHits <= this.max) return { place: this.begin(key) };
      await this.store.decrement(key);
      const others = this.underWay.get(key);
      if (!others) return { retryAfter: secondsUntil(resetTime, this.windowSeconds) };
      await new Promise<void>((resolve) => others.waiting.push(resolve));
    }
  }

  /**
   * How long an attempt that takes no place of its own has to wait: until the window ends, when
   * there is none left. 0: not at all.
   */
  async wait(key: string): Promise<number> {
    const counted = await this.store.get?.(key);
    const isFull = (counted?.totalHits ?? 0) >= this.max && !this.underWay.has(key);
    return isFull ? secondsUntil(counted?.resetTime, this.windowSeconds) : 0;
  }

  private begin(key: string): Place {
    const entry = this.underWay.get(key) ?? { count: 0, waiting: [] };
    entry.count++;
    this.underWay.set(key, entry);
    return new Place(this.store, key, () => this.end(key, entry));
  }

  private end(key: string, entry: UnderWay): void {
    if (--entry.count === 0) this.underWay.delete(key);
    for (const goOn of entry.waiting.splice(0)) goOn();
  }
}

/** One attempt that counts. Exactly one of these is called when its outcome is known. */
export class Place {
  constructor(
    private readonly store: Store,
    private readonly key: string,
    private readonly end: () => void,
  ) {}

  /** It stays counted. */
  keep(): Promise<void> {
    return this.change(() => undefined);
  }

  /** It does not count. */
  withdraw(): Promise<void> {
    return this.change(() => this.store.decrement(this.key));
  }

  /** Nor do earlier ones. */
  forgive(): Promise<void> {
    return this.change(() => this.store.resetKey(this.key));
  }

  private async change(change: () => Promise<void> | void): Promise<void> {
    try {
      await change();
    } catch {
      // the counter is out of reach, which was reported when the attempt began
    } finally {
      this.end();
    }
  }
}
