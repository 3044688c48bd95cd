import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { MemoryStore, type Options, type Store } from 'express-rate-limit';
import { RedisStore, type RedisReply } from 'rate-limit-redis';
import { createClient, type RedisClientType } from 'redis';
import { SETTINGS, type Settings } from '../config/settings';
import { Log } from '../platform/log';

/** Longer than any healthy Redis takes; a request does not wait for one that hangs. */
const REDIS_TIMEOUT_MS = 250;

/** Makes counters of hits in a window of time: in Redis where it is set, shared by all instances; else in this process. */
@Injectable()
export class HitCounters implements OnApplicationShutdown {
  private readonly redis?: RedisClientType;

  constructor(@Inject(SETTINGS) settings: Settings, log: Log) {
    if (!settings.redisUrl) return;
    this.redis = createClient({ url: settings.redisUrl, disableOfflineQueue: true, socket: { connectTimeout: 2000 } });
    this.redis.on('error', (error: unknown) => log.warn({ err: error }, 'Redis cannot be reached; limits are not counted meanwhile'));
    void this.redis.connect().catch(() => undefined); // reported above; the client keeps trying
  }

  /**
   * @param prefix    keeps this counter's keys apart
   * @param windowMs  length of the window, which begins with the first hit of a key
   */
  create(prefix: string, windowMs: number): Store {
    const { redis } = this;
    const store: Store = redis
      ? new RedisStore({ prefix: `tenantry:${prefix}:`, sendCommand: (...command: string[]) => inTime(redis.sendCommand<RedisReply>(command)) })
      : new MemoryStore();
    Promise.resolve(store.init?.({ windowMs } as Options)).catch(() => undefined); // Redis is not there yet: the first hits try again
    return store;
  }

  onApplicationShutdown(): void {
    this.redis?.destroy(); // counters need no farewell, and one that hangs would never give it
  }
}

function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout;
  const late = new Promise<never>((_, reject) => (timer = setTimeout(() => reject(new Error('Redis does not answer')), REDIS_TIMEOUT_MS)));
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
