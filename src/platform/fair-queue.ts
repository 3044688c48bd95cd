/** Lanes in the order in which they are served: the one served longest ago comes first. */
class Turns<T> {
  private readonly lanes = new Map<string, T[]>();
  size = 0;

  add(key: string, item: T): void {
    const lane = this.lanes.get(key);
    if (lane) lane.push(item);
    else this.lanes.set(key, [item]);
    this.size++;
  }

  /** The first item of the next lane, which then moves to the end. */
  next(): T | undefined {
    const [first] = this.lanes;
    if (!first) return undefined;
    const [key, lane] = first;
    const item = lane.shift()!;
    this.lanes.delete(key);
    if (lane.length > 0) this.lanes.set(key, lane);
    this.size--;
    return item;
  }

  /**
   * Removes the last item of the longest lane, if that lane is longer than the lane of `key` would
   * become.
   */
  evictFor(key: string): T | undefined {
    const longest = [...this.lanes.values()].reduce<T[]>((most, lane) => (lane.length > most.length ? lane : most), []);
    if (longest.length <= (this.lanes.get(key)?.length ?? 0) + 1) return undefined;
    this.size--;
    return longest.pop();
  }
}

/** Called with true when the work may start and with false when it was rejected. */
type Waiting = (mayBegin: boolean) => void;

/** Identifies the client of a request. */
export interface Turn {
  /** Requests with the same key share one lane; lanes take turns. */
  readonly key: string;
  /** Every second turn goes to reserved lanes, which other lanes cannot fill. */
  readonly isReserved?: boolean;
}

/**
 * Runs a limited number of tasks at a time and lets a limited number of each kind wait. Lanes take
 * turns, so a client that sends many requests delays only itself. When the queue is full, the
 * longest lane loses its last request.
 */
export class FairQueue {
  private running = 0;
  private readonly open = new Turns<Waiting>();
  private readonly reserved = new Turns<Waiting>();
  private isReservedTurn = false;

  constructor(
    private readonly maxRunning: number,
    private readonly maxWaiting: number,
  ) {}

  /** @returns the result of `work`, or undefined when it was rejected before it started */
  async run<T>(turn: Turn, work: () => Promise<T>): Promise<T | undefined> {
    if (this.running < this.maxRunning) this.running++;
    else if (!(await this.turnOf(turn))) return undefined;
    try {
      return await work();
    } finally {
      const next = this.next();
      if (next)
        next(true); // passes its slot on, so that no new task takes it first
      else this.running--;
    }
  }

  private turnOf({ key, isReserved }: Turn): Promise<boolean> | false {
    const turns = isReserved ? this.reserved : this.open;
    if (turns.size >= this.maxWaiting) {
      const evicted = turns.evictFor(key);
      if (!evicted) return false;
      evicted(false);
    }
    return new Promise((resolve) => turns.add(key, resolve));
  }

  private next(): Waiting | undefined {
    this.isReservedTurn = !this.isReservedTurn;
    return this.isReservedTurn
      ? (this.reserved.next() ?? this.open.next())
      : (this.open.next() ?? this.reserved.next());
  }
}
