import { RecentKeys } from './recent-keys';

/** Items by the network of a client, and by the address within it. */
class Lane<T> {
  private readonly addresses = new Map<string, T[]>();
  size = 0;

  add(address: string, item: T): void {
    const items = this.addresses.get(address);
    if (items) items.push(item);
    else this.addresses.set(address, [item]);
    this.size++;
  }

  /** The first item of the next address, which then moves to the end. */
  next(): T {
    const [[address, items]] = this.addresses;
    const item = items.shift()!;
    this.addresses.delete(address);
    if (items.length > 0) this.addresses.set(address, items);
    this.size--;
    return item;
  }

  /** Removes the last item of the address that has the most. */
  evict(): T {
    const [address, items] = [...this.addresses].reduce((most, one) => (one[1].length > most[1].length ? one : most));
    const item = items.pop()!;
    if (items.length === 0) this.addresses.delete(address);
    this.size--;
    return item;
  }
}

/** Lanes in the order in which they are served: the one served longest ago comes first. */
class Turns<T> {
  private readonly lanes = new Map<string, Lane<T>>();
  size = 0;

  add({ key, within = key }: Turn, item: T): void {
    const lane = this.lanes.get(key) ?? new Lane<T>();
    this.lanes.set(key, lane);
    lane.add(within, item);
    this.size++;
  }

  /** An item of the next lane, which then moves to the end. */
  next(): T | undefined {
    const [first] = this.lanes;
    if (!first) return undefined;
    const [key, lane] = first;
    const item = lane.next();
    this.lanes.delete(key);
    if (lane.size > 0) this.lanes.set(key, lane);
    this.size--;
    return item;
  }

  /**
   * Removes an item of the longest lane. If the lane of `key` is that lane, nothing is removed; if
   * it would become as long as the longest, a random one is.
   */
  evictFor(key: string): T | undefined {
    const lanes = [...this.lanes];
    const longest = lanes.reduce((most, one) => (one[1].size > most[1].size ? one : most));
    const own = this.lanes.get(key)?.size ?? 0;
    if (own > 0 && own === longest[1].size) return undefined;
    const isLonger = longest[1].size > own + 1;
    const [from, lane] = isLonger ? longest : lanes[Math.floor(Math.random() * lanes.length)];
    const item = lane.evict();
    if (lane.size === 0) this.lanes.delete(from);
    this.size--;
    return item;
  }
}

/** Called with true when the work may start and with false when it was rejected. */
type Waiting = (mayBegin: boolean) => void;

/** Identifies the client of a request. */
export interface Turn {
  /** Requests with the same key share one lane, such as those of a network; lanes take turns. */
  readonly key: string;
  /** Whose request it is within the lane, where these take turns, too. */
  readonly within?: string;
  /** Every second turn goes to reserved lanes, which other lanes cannot fill. */
  readonly isReserved?: boolean;
}

/** The share of the queue that only clients have who were not seen in the last minute. */
const NEW_SHARE = 1 / 3;
const SEEN_MS = 60_000;

/**
 * Runs a limited number of tasks at a time and lets a limited number of each kind wait. Lanes take
 * turns, so a client that sends many requests delays only itself. When the queue is full, the
 * longest lane loses a request, or a random one if all are equally long: those who are already
 * there cannot keep others out. New clients have a part of the queue, and every second of the turns
 * that are not reserved.
 */
export class FairQueue {
  private running = 0;
  private readonly reserved = new Turns<Waiting>();
  private readonly ofNewClients = new Turns<Waiting>();
  private readonly open = new Turns<Waiting>();
  private readonly seen = new RecentKeys(SEEN_MS);
  private turn = 0;

  constructor(
    private readonly maxRunning: number,
    private readonly maxWaiting: number,
  ) {}

  /** @returns the result of `work`, or undefined when it was rejected before it started */
  async run<T>(turn: Turn, work: () => Promise<T>): Promise<T | undefined> {
    const isNew = !this.seen.see(turn.key);
    if (this.running < this.maxRunning) this.running++;
    else if (!(await this.turnOf(turn, isNew))) return undefined;
    try {
      return await work();
    } finally {
      const next = this.next();
      if (next)
        next(true); // passes its slot on, so that no new task takes it first
      else this.running--;
    }
  }

  private turnOf(turn: Turn, isNew: boolean): Promise<boolean> | false {
    if (turn.isReserved) return this.wait(this.reserved, this.maxWaiting, turn);
    const forNew = Math.floor(this.maxWaiting * NEW_SHARE);
    if (isNew && this.ofNewClients.size < forNew) return this.wait(this.ofNewClients, forNew, turn);
    return this.wait(this.open, this.maxWaiting - forNew, turn);
  }

  private wait(turns: Turns<Waiting>, most: number, turn: Turn): Promise<boolean> | false {
    if (turns.size >= most) {
      const evicted = turns.evictFor(turn.key);
      if (!evicted) return false;
      evicted(false);
    }
    return new Promise((resolve) => turns.add(turn, resolve));
  }

  /** Reserved lanes have every second turn, new clients and all others each every fourth. */
  private next(): Waiting | undefined {
    this.turn++;
    const others = this.turn % 4 < 2 ? [this.ofNewClients, this.open] : [this.open, this.ofNewClients];
    const order = this.turn % 2 === 1 ? [this.reserved, ...others] : [...others, this.reserved];
    for (const turns of order) {
      const next = turns.next();
      if (next) return next;
    }
    return undefined;
  }
}
