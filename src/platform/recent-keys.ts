/** Keys that are remembered at most; the oldest are forgotten first. */
const MOST_KEYS = 10_000;

/** Remembers for a while which keys were seen. */
export class RecentKeys {
  /** The time of the last look by key, oldest first. */
  private readonly times = new Map<string, number>();

  /** @param forMs milliseconds for which a key counts as seen */
  constructor(private readonly forMs: number) {}

  /** Remembers a key. @returns whether it was seen before, not too long ago */
  see(key: string, now = performance.now()): boolean {
    const before = this.times.get(key);
    this.times.delete(key);
    this.times.set(key, now);
    if (this.times.size > MOST_KEYS) this.times.delete(this.times.keys().next().value!);
    return before !== undefined && now - before < this.forMs;
  }
}
