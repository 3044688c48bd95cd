import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { isUnavailable, mayBeCommitted } from './database/database-errors';
import { Log } from './observability/log';

const RETRY_MS = 1000;
/** Claims that wait to be released at most; further ones expire by themselves. */
const MOST_WAITING = 10_000;

/** A claim that this process has, or may have, and does not work on. */
export interface UnusedClaim {
  /** Where it is, for the log. */
  readonly kind: string;
  /** Milliseconds after which releasing it is given up: it has expired by then. */
  readonly expiresInMs: number;
  /** @returns whether it is released now; false to ask again */
  readonly release: () => Promise<boolean>;
}

interface Waiting extends UnusedClaim {
  readonly until: number;
}

/**
 * Releases claims that a failed statement has left behind, as soon as the database responds again.
 * Otherwise others would wait until they expire.
 */
@Injectable()
export class LateReleases implements OnApplicationShutdown {
  private readonly waiting = new Set<Waiting>();
  private timer?: NodeJS.Timeout;

  constructor(private readonly log: Log) {}

  /** Releases a claim in a second, and every second until it is released or has expired. */
  add(claim: UnusedClaim): void {
    if (this.waiting.size >= MOST_WAITING) return;
    this.waiting.add({ ...claim, until: performance.now() + claim.expiresInMs });
    this.timer ??= this.again();
  }

  /**
   * Runs work that claims something. If it fails because the response to COMMIT is lost, the claim
   * is released later.
   * @param claim what the work has claimed so far; undefined: nothing
   */
  async unlessLost<T>(work: () => Promise<T>, claim: () => UnusedClaim | undefined): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const unused = mayBeCommitted(error) ? claim() : undefined;
      if (unused) this.add(unused);
      throw error;
    }
  }

  onApplicationShutdown(): void {
    clearTimeout(this.timer);
    this.waiting.clear();
  }

  private again(): NodeJS.Timeout {
    return setTimeout(() => {
      void this.releaseAll();
    }, RETRY_MS).unref();
  }

  /** What waits is released together: their statements can be joined. */
  private async releaseAll(): Promise<void> {
    const released = (await Promise.all([...this.waiting].map((claim) => this.attempt(claim)))).filter(Boolean);
    if (released.length > 0) {
      const kinds = [...new Set(released)];
      this.log.warn(
        { event: 'claims.released', claims: released.length, kinds },
        'Claims that nobody worked on were released',
      );
    }
    this.timer = this.waiting.size > 0 ? this.again() : undefined;
  }

  /** @returns its kind if it was released now */
  private async attempt(claim: Waiting): Promise<string | undefined> {
    const { release, kind, until } = claim;
    const isOver = await release().catch((error: unknown) => {
      if (isUnavailable(error)) return false;
      this.log.error({ event: 'claims.not_released', kind, err: error }, 'A claim cannot be released; it will expire');
      this.waiting.delete(claim);
      return false;
    });
    if (isOver || performance.now() > until) this.waiting.delete(claim);
    return isOver ? kind : undefined;
  }
}
