/** What a GroupQueue takes. */
export interface GroupLimits {
  /** Groups that count at the same time. */
  readonly groups: number;
  /** Items in a group. */
  readonly items: number;
  /** Items that wait for a group. */
  readonly waiting: number;
  /** A group that takes more milliseconds no longer counts: others start, and wait no longer. */
  readonly longestMs?: number;
}

/**
 * Processes items that arrive at the same time in groups, so that they share what a group costs. An
 * item that arrives while fewer groups run than allowed is processed at once, alone. Items with the
 * same key are never processed at the same time.
 */
export class GroupQueue<Item> {
  private waiting: Item[] = [];
  private running = 0;
  /** The keys of the items that are processed. */
  private readonly busy = new Set<string>();

  /**
   * @param keyOf the key of an item
   * @param process processes a group; it must not reject
   */
  constructor(
    private readonly limits: GroupLimits,
    private readonly keyOf: (item: Item) => string,
    private readonly process: (group: readonly Item[]) => Promise<void>,
  ) {}

  /** @returns false if too many wait: the item is not processed */
  add(item: Item): boolean {
    if (this.waiting.length >= this.limits.waiting) return false;
    this.waiting.push(item);
    this.start();
    return true;
  }

  /** Removes the items that wait. */
  removeWaiting(): readonly Item[] {
    return this.waiting.splice(0);
  }

  private start(): void {
    while (this.running < this.limits.groups) {
      const group = this.next();
      if (group.length === 0) return;
      void this.run(group);
    }
  }

  private async run(group: readonly Item[]): Promise<void> {
    this.running++;
    let counts = true;
    const end = () => {
      if (counts) this.running--;
      counts = false;
      this.start();
    };
    const { longestMs } = this.limits;
    const timer = longestMs === undefined ? undefined : setTimeout(end, longestMs);
    try {
      await this.process(group);
    } finally {
      clearTimeout(timer);
      for (const item of group) this.busy.delete(this.keyOf(item));
      end();
    }
  }

  /** Takes the oldest items that wait, at most one of each key. */
  private next(): Item[] {
    const group: Item[] = [];
    this.waiting = this.waiting.filter((item) => {
      const key = this.keyOf(item);
      if (group.length === this.limits.items || this.busy.has(key)) return true;
      this.busy.add(key);
      group.push(item);
      return false;
    });
    return group;
  }
}
