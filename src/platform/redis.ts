import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createClient, type RedisClientType } from 'redis';
import { SETTINGS, type Settings } from '../config/settings';
import { Log } from './observability/log';

/** Longer than any healthy Redis takes. */
const TIMEOUT_MS = 250;
/** How long one that hangs is not asked again, so that hardly any request waits for it. */
const LEFT_ALONE_MS = 5000;

/**
 * The connection to Redis where REDIS_URL is set: what several instances share and can do without
 * for a while.
 */
@Injectable()
export class Redis implements OnApplicationShutdown {
  /** Undefined: this instance is alone. */
  readonly client?: RedisClientType;
  private leftAloneUntil = 0;

  constructor(@Inject(SETTINGS) { redisUrl }: Settings, log: Log) {
    if (!redisUrl) return;
    this.client = createClient({ url: redisUrl, disableOfflineQueue: true, socket: { connectTimeout: 2000 } });
    this.client.on('error', (error: unknown) =>
      log.warn({ err: error }, 'Redis cannot be reached; limits are not counted and nothing is remembered meanwhile'),
    );
    void this.client.connect().catch(() => undefined); // reported above; the client keeps trying
  }

  /**
   * What Redis answers; a failure when it does not in time, and at once while it is left alone
   * after that.
   */
  async ask<T>(question: () => Promise<T>): Promise<T> {
    if (performance.now() < this.leftAloneUntil) throw new Error('Redis did not answer a moment ago');
    let timer: NodeJS.Timeout;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        this.leftAloneUntil = performance.now() + LEFT_ALONE_MS;
        reject(new Error('Redis does not answer'));
      }, TIMEOUT_MS);
    });
    return Promise.race([question(), late]).finally(() => clearTimeout(timer));
  }

  onApplicationShutdown(): void {
    this.client?.destroy(); // what is there needs no farewell, and one that hangs would never give it
  }
}
