import { withTimeout } from './timeout';

/** Milliseconds that running work gets when the service stops. */
const STOP_MS = 5000;

/**
 * Looks for work at intervals and whenever it is woken, one look at a time, and runs what it finds
 * beside later looks.
 */
export class PollingLoop {
  private readonly running = new Set<Promise<void>>();
  private timer?: NodeJS.Timeout;
  private looking?: Promise<void>;
  private isWoken = false;
  private isStopping = false;
  /** Whether the last look failed, which is reported once. */
  private hasFailed = false;

  /**
   * @param look   finds work and passes it to `run`
   * @param report is called with the error of the first of several looks that fail
   */
  constructor(
    private readonly look: () => Promise<void>,
    private readonly report: (error: unknown) => void,
  ) {}

  /** Looks at intervals from now on. @param wake wakes it */
  start(milliseconds: number, wake: () => unknown): void {
    this.timer = setInterval(wake, milliseconds);
  }

  /** Looks now, or once more after the present look. Resolves when that has ended. */
  wake(): Promise<void> {
    if (this.isStopping) return Promise.resolve();
    this.isWoken = true;
    this.looking ??= this.lookUntilIdle();
    return this.looking;
  }

  /** Keeps track of work, which never fails. When it ends, there is room for more. */
  run(work: Promise<void>): void {
    const ended: Promise<void> = work.finally(() => {
      this.running.delete(ended);
      void this.wake();
    });
    this.running.add(ended);
  }

  /** Looks no more, and waits some seconds for running work. */
  async stop(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.timer);
    await this.looking;
    await withTimeout(STOP_MS, Promise.all(this.running)).catch(() => undefined);
  }

  private async lookUntilIdle(): Promise<void> {
    try {
      while (this.isWoken && !this.isStopping) {
        this.isWoken = false;
        await this.look();
        this.hasFailed = false;
      }
    } catch (error) {
      if (!this.hasFailed) this.report(error);
      this.hasFailed = true;
    } finally {
      this.looking = undefined;
    }
  }
}
