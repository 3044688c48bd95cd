/**
 * Runs at most so many pieces of work at a time, lets at most so many wait, and turns the rest away
 * at once.
 */
export class BoundedQueue {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly maxRunning: number,
    private readonly maxWaiting: number,
  ) {}

  /** The outcome of `work`, or undefined when the queue is full and the work was not begun. */
  async run<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (this.running < this.maxRunning) this.running++;
    else if (this.waiting.length < this.maxWaiting) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else return undefined;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next)
        next(); // hands its place on, so that nobody can slip in between
      else this.running--;
    }
  }
}
