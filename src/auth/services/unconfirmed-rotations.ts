import { Injectable } from '@nestjs/common';
import { DAY } from '../../platform/clock';
import { isUnanswered } from '../../platform/database/database-errors';
import { Redis } from '../../platform/redis';

/** The oldest are forgotten first; some 2 MB, where nobody repeats a request often. */
const REMEMBERED = 10_000;
/** Successors of one token: as often as somebody repeats a refresh while no answer comes. */
const SUCCESSORS = 20;
const KEY = 'tenantry:unanswered-rotation:';

/**
 * Which refresh tokens were to replace another one in a statement whose answer never came.
 * PostgreSQL may have carried it out nevertheless, later than anybody waited for it: then the
 * successor is known to nobody, and the token that its holder still has stands for it. Whoever
 * repeats the refresh while answers are lost makes more of them, one of which is there. Only hashes
 * are remembered, in this process and, where there is one, in Redis.
 */
@Injectable()
export class UnconfirmedRotations {
  private readonly successors = new Map<string, string[]>();

  constructor(private readonly redis: Redis) {}

  /** What `rotate` returns; where its answer is lost, the successor is remembered. */
  async watch<T>(spentHash: Buffer, successorHash: Buffer, rotate: () => Promise<T>): Promise<T> {
    try {
      return await rotate();
    } catch (error) {
      if (isUnanswered(error)) this.remember(spentHash.toString('base64'), successorHash.toString('base64'));
      throw error;
    }
  }

  /**
   * The hashes of the tokens one of which has perhaps replaced this one without anybody having
   * heard of it.
   */
  async successorsOf(spentHash: Buffer): Promise<Buffer[]> {
    const key = spentHash.toString('base64');
    const { client } = this.redis;
    const shared = client ? await this.redis.ask(() => client.lRange(KEY + key, 0, -1)).catch(() => []) : [];
    const all = new Set([...(this.successors.get(key) ?? []), ...shared]);
    return [...all].map((hash) => Buffer.from(hash, 'base64'));
  }

  private remember(key: string, successor: string): void {
    const known = this.successors.get(key) ?? [];
    if (known.length >= SUCCESSORS) return; // the first one that arrived has replaced it
    if (this.successors.size >= REMEMBERED) this.successors.delete(this.successors.keys().next().value!);
    this.successors.set(key, [...known, successor]);
    const { client } = this.redis;
    const share = () =>
      client!
        .multi()
        .rPush(KEY + key, successor)
        .expire(KEY + key, DAY)
        .exec();
    if (client) void this.redis.ask(share).catch(() => undefined);
  }
}
