/** Whose turn it is: the one that has been waiting without a turn for longest. */
class Turns<T> {
  private readonly lanes = new Map<string, T[]>();
  size = 0;

  add(key: string, item: T): void {
    const lane = this.lanes.get(key);
    if (lane) lane.push(item);
    else this.lanes.set(key, [item]);
    this.size++;
  }

  /** The first of the lane whose turn it is, which then goes to the end. */
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

  /** Takes the last out of the longest lane, if it is longer than that of `key` would be. */
  giveWayTo(key: string): T | undefined {
    const longest = [...this.lanes.values()].reduce<T[]>((most, lane) => (lane.length > most.length ? lane : most), []);
    if (longest.length <= (this.lanes.get(key)?.length ?? 0) + 1) return undefined;
    this.size--;
    return longest.pop();
  }
}

/** Told whether the work may begin; false: it was turned away. */
type Waiting = (mayBegin: boolean) => void;

/** Who wants work to be done. */
export interface Turn {
  /** Those with one key share one lane; lanes take turns. */
  readonly key: string;
  /**
   * Every second turn belongs to the lanes that are reserved, where nobody else can fill the queue.
   */
  readonly isReserved?: boolean;
}

/**
 * Runs at most so many pieces of work at a time and lets at most so many wait, of each kind. Lanes
 * take turns, so that who sends much waits for himself; when the queue is full, the longest lane
 * gives way.
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

  /** The outcome of `work`, or undefined when it was turned away and not begun. */
  async run<T>(turn: Turn, work: () => Promise<T>): Promise<T | undefined> {
    if (this.running < this.maxRunning) this.running++;
    else if (!(await this.turnOf(turn))) return undefined;
    try {
      return await work();
    } finally {
      const next = this.next();
      if (next)
        next(true); // hands its place on, so that nobody can slip in between
      else this.running--;
    }
  }

  private turnOf({ key, isReserved }: Turn): Promise<boolean> | false {
    const turns = isReserved ? this.reserved : this.open;
    if (turns.size >= this.maxWaiting) {
      const gone = turns.giveWayTo(key);
      if (!gone) return false;
      gone(false);
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
