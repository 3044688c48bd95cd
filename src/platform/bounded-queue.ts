/**
 * Runs a limited number of tasks at a time, lets a limited number wait and rejects the rest
 * immediately.
 */
export class BoundedQueue {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly maxRunning: number,
    private readonly maxWaiting: number,
  ) {}

  /**
   * @returns the result of `work`, or undefined when the queue was full and `work` was not started
   */
  async run<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (this.running < this.maxRunning) this.running++;
    else if (this.waiting.length < this.maxWaiting) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else return undefined;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next)
        next(); // passes its slot on, so that no new task takes it first
      else this.running--;
    }
  }
}
