import type { OnApplicationShutdown } from '@nestjs/common';
import type { RedisClientType } from 'redis';
import type { Settings } from '../config/settings';
import type { Log } from './observability/log';

/**
 * Milliseconds; together longer than a healthy Redis takes. Time in which this process did nothing,
 * such as a long garbage collection, counts as one step.
 */
const STEP_MS = 50;
const STEPS = 5;
/**
 * Milliseconds for which Redis is not called again after a timeout, so that few requests wait for
 * it.
 */
const BACKOFF_MS = 5000;

/**
 * The connection to Redis, if REDIS_URL is set. It holds data that instances share and can do
 * without temporarily.
 */
export class Redis implements OnApplicationShutdown {
  private pausedUntil = 0;

  /** @param client undefined when REDIS_URL is not set */
  private constructor(readonly client?: RedisClientType) {}

  /**
   * Starts to connect if REDIS_URL is set. Only then is the client library loaded, which takes 5 MB
   * of memory.
   * @throws if it cannot be loaded; Redis itself may be unreachable
   */
  static async open({ redisUrl }: Pick<Settings, 'redisUrl'>, log: Log): Promise<Redis> {
    if (!redisUrl) return new Redis();
    const { createClient } = await import('redis');
    const client: RedisClientType = createClient({
      url: redisUrl,
      disableOfflineQueue: true,
      socket: { connectTimeout: 2000 },
    });
    client.on('error', (error: unknown) =>
      log.warn(
        { event: 'redis.unreachable', err: error },
        'Redis is unreachable; rate limits and caches are off until it recovers',
      ),
    );
    void client.connect().catch(() => undefined); // logged above; the client keeps trying
    return new Redis(client);
  }

  /** Runs a command. Rejects after a timeout, and immediately for a short time after a timeout. */
  async ask<T>(question: () => Promise<T>): Promise<T> {
    if (performance.now() < this.pausedUntil) throw new Error('Redis did not respond recently');
    let timer: NodeJS.Timeout;
    let isSettled = false;
    const late = new Promise<never>((_, reject) => {
      let steps = 0;
      const giveUp = () => {
        if (isSettled) return; // the answer had arrived, and was read after the timer
        this.pausedUntil = performance.now() + BACKOFF_MS;
        reject(new Error('Redis does not respond'));
      };
      timer = setInterval(() => {
        if (++steps === STEPS) setImmediate(giveUp);
      }, STEP_MS);
    });
    return Promise.race([question(), late]).finally(() => {
      isSettled = true;
      clearInterval(timer);
    });
  }

  onApplicationShutdown(): void {
    this.client?.destroy(); // does not wait for a Redis that may hang
  }
}
