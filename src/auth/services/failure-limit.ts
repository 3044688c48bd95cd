import type { Store } from 'express-rate-limit';
import { secondsUntil } from '../../platform/clock';

/** A counted attempt, or the seconds until the next one is admitted. */
export type Admission = { readonly slot: Slot } | { readonly retryAfter: number };

interface PendingAttempts {
  count: number;
  readonly waiting: (() => void)[];
}

/**
 * Limits the failures of a key within a window. An attempt is counted before its outcome is known,
 * so that concurrent attempts cannot exceed the limit. When pending attempts fill the limit, the
 * next attempt waits for their outcome, so that concurrent correct attempts are not refused.
 */
export class FailureLimit {
  private readonly pending = new Map<string, PendingAttempts>();

  constructor(
    private readonly store: Store,
    private readonly windowSeconds: number,
    private readonly max: number,
  ) {}

  /** @throws when the counter store cannot be reached */
  async enter(key: string): Promise<Admission> {
    for (;;) {
      const { totalHits, resetTime } = await this.store.increment(key);
      if (totalHits <= this.max) return { slot: this.openSlot(key) };
      await this.store.decrement(key);
      const pending = this.pending.get(key);
      if (!pending) return { retryAfter: secondsUntil(resetTime, this.windowSeconds) };
      await new Promise<void>((resolve) => pending.waiting.push(resolve));
    }
  }

  /**
   * Seconds until an attempt is admitted that is not counted itself; 0 if the limit is not reached.
   */
  async secondsToWait(key: string): Promise<number> {
    const counted = await this.store.get?.(key);
    const isFull = (counted?.totalHits ?? 0) >= this.max && !this.pending.has(key);
    return isFull ? secondsUntil(counted?.resetTime, this.windowSeconds) : 0;
  }

  private openSlot(key: string): Slot {
    const pending = this.pending.get(key) ?? { count: 0, waiting: [] };
    pending.count++;
    this.pending.set(key, pending);
    return new Slot(this.store, key, () => this.closeSlot(key, pending));
  }

  private closeSlot(key: string, pending: PendingAttempts): void {
    if (--pending.count === 0) this.pending.delete(key);
    for (const resume of pending.waiting.splice(0)) resume();
  }
}

/** A counted attempt. Call exactly one method when its outcome is known. */
export class Slot {
  constructor(
    private readonly store: Store,
    private readonly key: string,
    private readonly close: () => void,
  ) {}

  /** The attempt failed: it stays counted. */
  keep(): Promise<void> {
    return this.settle(() => undefined);
  }

  /** The attempt has no outcome: it is not counted. */
  cancel(): Promise<void> {
    return this.settle(() => this.store.decrement(this.key));
  }

  /** The attempt succeeded: earlier failures are forgotten as well. */
  reset(): Promise<void> {
    return this.settle(() => this.store.resetKey(this.key));
  }

  private async settle(change: () => Promise<void> | void): Promise<void> {
    try {
      await change();
    } catch {
      // the counter store is unreachable, which was logged when the attempt began
    } finally {
      this.close();
    }
  }
}
