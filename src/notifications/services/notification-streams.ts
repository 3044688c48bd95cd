import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { BoundedQueue } from '../../platform/bounded-queue';
import { DatabaseChannels } from '../../platform/database/listen-notify';
import { NOTIFICATIONS_CHANNEL } from '../data/notification.repository';
import { Metrics } from '../../platform/observability/metrics';

/**
 * Streams per person on one instance; beyond it the oldest ends, which is most likely one that
 * nobody reads any more.
 */
const STREAMS_PER_USER = 10;
/** How many streams read at a time when all are woken: most connections are for requests. */
const READING_AT_A_TIME = 2;

/** A stream that is open. */
export interface OpenStream {
  wake(): void;
  end(): void;
  supersede(): void;
}

/**
 * The streams that are open on this instance, woken when any instance announces something for their
 * person.
 */
@Injectable()
export class NotificationStreams implements OnModuleDestroy {
  private readonly byUser = new Map<string, Set<OpenStream>>();
  private readonly reading = new BoundedQueue(READING_AT_A_TIME, Infinity);
  private stopping = false;

  constructor(channels: DatabaseChannels, metrics: Metrics) {
    const wakeAll = () => [...this.byUser.keys()].forEach((userId) => this.wake(userId));
    channels.listen(NOTIFICATIONS_CHANNEL, { hear: (userId) => this.wake(userId), missed: wakeAll });
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

  /**
   * The first thing when the service stops: open requests are waited for, and these would never end
   * by themselves.
   */
  onModuleDestroy(): void {
    this.stopping = true;
    for (const streams of this.byUser.values()) for (const stream of streams) stream.end();
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
