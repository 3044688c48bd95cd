import { Injectable } from '@nestjs/common';
import { MemoryStore, type ClientRateLimitInfo, type Options, type Store } from 'express-rate-limit';
import { RedisStore, type RedisReply } from 'rate-limit-redis';
import { Clock } from '../../platform/clock';
import type { Network } from '../../platform/client-address';
import { Redis } from '../../platform/redis';
import { MemoryCooldowns, RedisCooldowns, type Cooldowns } from './cooldowns';

/**
 * Creates counters in a time window, and cooldowns: in Redis if it is set, shared by all instances,
 * else in memory.
 */
@Injectable()
export class RateLimitStores {
  constructor(
    private readonly redis: Redis,
    private readonly clock: Clock,
  ) {}

  /**
   * @param prefix separates the keys of this counter
   * @param windowMs the length of the window, which starts with the first hit of a key
   */
  create(prefix: string, windowMs: number): Store {
    const { redis } = this;
    const { client } = redis;
    const store: Store = client
      ? new RedisStore({
          prefix: `tenantry:${prefix}:`,
          sendCommand: (...command: string[]) => redis.ask(() => client.sendCommand<RedisReply>(command)),
        })
      : new MemoryStore();
    // Redis is not connected yet: the first hits retry
    Promise.resolve(store.init?.({ windowMs } as Options)).catch(() => undefined);
    return store;
  }

  /** @param prefix separates the keys of these cooldowns */
  createCooldowns(prefix: string): Cooldowns {
    return this.redis.client ? new RedisCooldowns(this.redis, prefix) : new MemoryCooldowns(this.clock);
  }
}

/** Counts a request. Undefined when the shared counter is unreachable: then nothing is refused. */
export async function hit(store: Store, key: string): Promise<ClientRateLimitInfo | undefined> {
  try {
    return await store.increment(key);
  } catch {
    return undefined;
  }
}

/** What a limit says of a request. */
export interface Counted {
  readonly isOver: boolean;
  readonly remaining: number;
  readonly resetTime: Date | undefined;
}

/**
 * Counts a request for each network of a client: it is over the limit if one of them is. Undefined
 * as for `hit`.
 * @param limit requests of the narrowest network; a wider one has as many times more
 */
export async function hitAll(store: Store, networks: readonly Network[], limit: number): Promise<Counted | undefined> {
  const hits = await Promise.all(networks.map(({ key }) => hit(store, key)));
  const counted = hits.flatMap((info, index) =>
    info ? [{ resetTime: info.resetTime, remaining: limit * networks[index].clients - info.totalHits }] : [],
  );
  if (counted.length === 0) return undefined;
  const least = counted.reduce((one, other) => (other.remaining < one.remaining ? other : one));
  return { isOver: least.remaining < 0, remaining: Math.max(0, least.remaining), resetTime: least.resetTime };
}

/** The hits of a key so far, without another one. Undefined if there are none, or as for `hit`. */
export async function hitsOf(store: Store, key: string): Promise<ClientRateLimitInfo | undefined> {
  try {
    return await store.get?.(key);
  } catch {
    return undefined;
  }
}
