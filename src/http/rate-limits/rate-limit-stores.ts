import { Injectable } from '@nestjs/common';
import { MemoryStore, type Options, type Store } from 'express-rate-limit';
import { RedisStore, type RedisReply } from 'rate-limit-redis';
import { Clock } from '../../platform/clock';
import { Redis } from '../../platform/redis';
import { MemoryCooldowns, RedisCooldowns, type Cooldowns } from './cooldowns';

/**
 * Makes counters of hits in a window of time, and pauses: in Redis where it is set, shared by all
 * instances; else in this process.
 */
@Injectable()
export class RateLimitStores {
  constructor(
    private readonly redis: Redis,
    private readonly clock: Clock,
  ) {}

  /**
   * @param prefix    keeps this counter's keys apart
   * @param windowMs  length of the window, which begins with the first hit of a key
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
    // Redis is not there yet: the first hits try again
    Promise.resolve(store.init?.({ windowMs } as Options)).catch(() => undefined);
    return store;
  }

  /** @param prefix keeps these pauses apart from others */
  createCooldowns(prefix: string): Cooldowns {
    return this.redis.client ? new RedisCooldowns(this.redis, prefix) : new MemoryCooldowns(this.clock);
  }
}
