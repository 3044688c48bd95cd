import { Injectable } from '@nestjs/common';
import { DAY } from '../platform/clock';
import { isUnanswered } from '../platform/database-errors';
import { Redis } from '../platform/redis';

/** The oldest are forgotten first; some 2 MB. */
const REMEMBERED = 10_000;
const KEY = 'tenantry:unanswered-rotation:';

/**
 * Which refresh token replaced another one in a statement whose answer never came. PostgreSQL may have carried it out nevertheless, later than anybody
 * waited for it: then the successor is known to nobody, and the token that its holder still has stands for it. Only hashes are remembered, in this
 * process and, where there is one, in Redis.
 */
@Injectable()
export class UnansweredRotations {
  private readonly successors = new Map<string, Buffer>();

  constructor(private readonly redis: Redis) {}

  /** What `rotate` returns; where its answer is lost, the successor is remembered. */
  async watch<T>(spentHash: Buffer, successorHash: Buffer, rotate: () => Promise<T>): Promise<T> {
    try {
      return await rotate();
    } catch (error) {
      if (isUnanswered(error)) this.remember(spentHash.toString('base64'), successorHash);
      throw error;
    }
  }

  /** The hash of the token that has perhaps replaced this one without anybody having heard of it. */
  async successorOf(spentHash: Buffer): Promise<Buffer | undefined> {
    const key = spentHash.toString('base64');
    const known = this.successors.get(key);
    const { client } = this.redis;
    if (known || !client) return known;
    const shared = await this.redis.ask(() => client.get(KEY + key)).catch(() => null);
    return shared ? Buffer.from(shared, 'base64') : undefined;
  }

  private remember(key: string, successorHash: Buffer): void {
    if (this.successors.size >= REMEMBERED) this.successors.delete(this.successors.keys().next().value!);
    this.successors.set(key, successorHash);
    const { client } = this.redis;
    if (client) void this.redis.ask(() => client.set(KEY + key, successorHash.toString('base64'), { EX: DAY })).catch(() => undefined);
  }
}
