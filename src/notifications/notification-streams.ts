import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { SETTINGS, type Settings } from '../config/settings';
import { BoundedQueue } from '../platform/bounded-queue';
import { DatabaseChannel } from '../platform/database-channel';
import { Log } from '../platform/log';
import { Metrics } from '../platform/metrics';

/** The channel on which instances tell each other that a person, whose id is said, has new notifications. */
export const NEW_NOTIFICATIONS = 'tenantry_notifications';
/** Streams per person on one instance; beyond it the oldest ends, which is most likely one that nobody reads any more. */
const STREAMS_PER_USER = 10;
/** How many streams read at a time when all are woken: most connections are for requests. */
const READING_AT_A_TIME = 2;

/** A stream that is open. */
export interface OpenStream {
  wake(): void;
  end(): void;
  supersede(): void;
}

/** The streams that are open on this instance, woken when any instance announces something for their person. */
@Injectable()
export class NotificationStreams implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly byUser = new Map<string, Set<OpenStream>>();
  private readonly reading = new BoundedQueue(READING_AT_A_TIME, Infinity);
  private readonly channel: DatabaseChannel;
  private stopping = false;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    metrics: Metrics,
    log: Log,
  ) {
    const wakeAll = () => [...this.byUser.keys()].forEach((userId) => this.wake(userId));
    this.channel = new DatabaseChannel(settings.database.url, NEW_NOTIFICATIONS, (userId) => this.wake(userId), wakeAll, log);
    const count = () => [...this.byUser.values()].reduce((sum, { size }) => sum + size, 0);
    new Gauge({
      name: 'notification_streams_open',
      help: 'Open streams of notifications on this instance',
      registers: [metrics],
      collect() {
        this.set(count());
      },
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.settings.worker !== 'only') await this.channel.open();
  }

  /** The first thing when the service stops: open requests are waited for, and these would never end by themselves. */
  onModuleDestroy(): void {
    this.stopping = true;
    for (const streams of this.byUser.values()) for (const stream of streams) stream.end();
    this.channel.close();
  }

  /** Has a stream woken for its person from now on. @returns what takes it out again */
  add(userId: string, stream: OpenStream): () => void {
    const streams = this.byUser.get(userId) ?? new Set();
    this.byUser.set(userId, streams.add(stream));
    const remove = (left: OpenStream) => {
      streams.delete(left);
      if (streams.size === 0 && this.byUser.get(userId) === streams) this.byUser.delete(userId);
    };
    if (streams.size > STREAMS_PER_USER) {
      const [oldest] = streams;
      remove(oldest);
      oldest.supersede();
    }
    if (this.stopping) stream.end();
    return () => remove(stream);
  }

  /** Has a stream read when it is its turn. */
  read<T>(look: () => Promise<T>): Promise<T> {
    return this.reading.run(look) as Promise<T>; // it turns nobody away
  }

  private wake(userId: string): void {
    for (const stream of this.byUser.get(userId) ?? []) stream.wake();
  }
}
