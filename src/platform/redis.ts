import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createClient, type RedisClientType } from 'redis';
import { SETTINGS, type Settings } from '../config/settings';
import { Log } from './observability/log';

/** Milliseconds; longer than a healthy Redis takes. */
const TIMEOUT_MS = 250;
/**
 * Milliseconds for which Redis is not called again after a timeout, so that few requests wait for
 * it.
 */
const BACKOFF_MS = 5000;

/**
 * The connection to Redis, if REDIS_URL is set. It holds data that instances share and can do
 * without temporarily.
 */
@Injectable()
export class Redis implements OnApplicationShutdown {
  /** Undefined when REDIS_URL is not set. */
  readonly client?: RedisClientType;
  private pausedUntil = 0;

  constructor(@Inject(SETTINGS) { redisUrl }: Settings, log: Log) {
    if (!redisUrl) return;
    this.client = createClient({ url: redisUrl, disableOfflineQueue: true, socket: { connectTimeout: 2000 } });
    this.client.on('error', (error: unknown) =>
      log.warn(
        { event: 'redis.unreachable', err: error },
        'Redis is unreachable; rate limits and caches are off until it recovers',
      ),
    );
    void this.client.connect().catch(() => undefined); // logged above; the client keeps trying
  }

  /** Runs a command. Rejects after a timeout, and immediately for a short time after a timeout. */
  async ask<T>(question: () => Promise<T>): Promise<T> {
    if (performance.now() < this.pausedUntil) throw new Error('Redis did not respond recently');
    let timer: NodeJS.Timeout;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        this.pausedUntil = performance.now() + BACKOFF_MS;
        reject(new Error('Redis does not respond'));
      }, TIMEOUT_MS);
    });
    return Promise.race([question(), late]).finally(() => clearTimeout(timer));
  }

  onApplicationShutdown(): void {
    this.client?.destroy(); // does not wait for a Redis that may hang
  }
}
