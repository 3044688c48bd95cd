import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createClient, type RedisClientType } from 'redis';
import { SETTINGS, type Settings } from '../config/settings';
import { Log } from './log';

/** Longer than any healthy Redis takes; a request does not wait for one that hangs. */
const TIMEOUT_MS = 250;

/** The connection to Redis where REDIS_URL is set: what several instances share and can do without for a while. */
@Injectable()
export class Redis implements OnApplicationShutdown {
  /** Undefined: this instance is alone. */
  readonly client?: RedisClientType;

  constructor(@Inject(SETTINGS) { redisUrl }: Settings, log: Log) {
    if (!redisUrl) return;
    this.client = createClient({ url: redisUrl, disableOfflineQueue: true, socket: { connectTimeout: 2000 } });
    this.client.on('error', (error: unknown) =>
      log.warn({ err: error }, 'Redis cannot be reached; limits are not counted and nothing is remembered meanwhile'),
    );
    void this.client.connect().catch(() => undefined); // reported above; the client keeps trying
  }

  onApplicationShutdown(): void {
    this.client?.destroy(); // what is there needs no farewell, and one that hangs would never give it
  }
}

/** What Redis answers, or a failure when it does not. */
export function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout;
  const late = new Promise<never>((_, reject) => (timer = setTimeout(() => reject(new Error('Redis does not answer')), TIMEOUT_MS)));
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
