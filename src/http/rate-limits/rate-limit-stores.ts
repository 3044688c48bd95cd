import { Injectable } from '@nestjs/common';
import { MemoryStore, type ClientRateLimitInfo, type Options, type Store } from 'express-rate-limit';
import { RedisStore, type RedisReply } from 'rate-limit-redis';
import { Clock } from '../../platform/clock';
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
