import { Injectable } from '@nestjs/common';
import { MemoryStore, type Options, type Store } from 'express-rate-limit';
import { RedisStore, type RedisReply } from 'rate-limit-redis';
import { Clock } from '../platform/clock';
import { Redis } from '../platform/redis';
import { PausesInMemory, PausesInRedis, type Pauses } from './pauses';

/**
 * Makes counters of hits in a window of time, and pauses: in Redis where it is set, shared by all
 * instances; else in this process.
 */
@Injectable()
export class HitCounters {
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
  createPauses(prefix: string): Pauses {
    return this.redis.client ? new PausesInRedis(this.redis, prefix) : new PausesInMemory(this.clock);
  }
}
