import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { BoundedQueue } from '../../platform/bounded-queue';
import { DatabaseChannels } from '../../platform/database/listen-notify';
import { NotificationPositions } from '../data/notification-positions';
import { NOTIFICATIONS_CHANNEL } from '../data/notification.repository';
import { Metrics } from '../../platform/observability/metrics';

/**
 * Streams per user on one instance. Beyond it the oldest ends, which is most likely one that is no
 * longer read.
 */
const STREAMS_PER_USER = 10;
/**
 * Streams that read at the same time when all are woken, so that most connections stay free for
 * requests.
 */
const CONCURRENT_READS = 2;

/** Milliseconds between reads of positions while notifications do not arrive. */
const POLL_MS = 2000;

/** An open stream. */
export interface OpenStream {
  wake(): void;
  end(): void;
  supersede(): void;
}

/**
 * Keeps the open streams of this instance and wakes them when any instance announces notifications
 * for their user.
 */
@Injectable()
export class NotificationStreams implements OnModuleDestroy {
  private readonly byUser = new Map<string, Set<OpenStream>>();
  private readonly reading = new BoundedQueue(CONCURRENT_READS, Infinity);
  private stopping = false;
  /** The newest position of each user, while positions are polled. */
  private readonly polled = new Map<string, string | null>();
  private pollAt = 0;

  constructor(
    channels: DatabaseChannels,
    private readonly positions: NotificationPositions,
    metrics: Metrics,
  ) {
    channels.listen(NOTIFICATIONS_CHANNEL, {
      onNotification: (userId) => this.wake(userId),
      onConnected: () => this.wakeAll(),
      poll: () => {
        void this.poll();
      },
    });
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
   * Ends all streams when the service stops: the shutdown waits for open requests, and streams
   * would never end by themselves.
   */
  onModuleDestroy(): void {
    this.stopping = true;
    for (const streams of this.byUser.values()) for (const stream of streams) stream.end();
  }

  /** Registers a stream. @returns a function that removes it */
  add(userId: string, stream: OpenStream): () => void {
    const streams = this.byUser.get(userId) ?? new Set();
    this.byUser.set(userId, streams.add(stream));
    const remove = (left: OpenStream) => {
      streams.delete(left);
      if (streams.size > 0 || this.byUser.get(userId) !== streams) return;
      this.byUser.delete(userId);
      this.polled.delete(userId);
    };
    if (streams.size > STREAMS_PER_USER) {
      const [oldest] = streams;
      remove(oldest);
      oldest.supersede();
    }
    if (this.stopping) stream.end();
    return () => remove(stream);
  }

  /** Runs a read of a stream when a slot is free. */
  read<T>(work: () => Promise<T>): Promise<T> {
    return this.reading.run(work) as Promise<T>; // an unbounded queue rejects nothing
  }

  private wakeAll(): void {
    this.polled.clear();
    for (const userId of this.byUser.keys()) this.wake(userId);
  }

  /** Wakes the users with new notifications; at first all, because some may have been missed. */
  private async poll(): Promise<void> {
    if (this.byUser.size === 0 || performance.now() < this.pollAt) return;
    this.pollAt = Infinity;
    const found = await this.positions.newest([...this.byUser.keys()]).catch(() => []);
    this.pollAt = performance.now() + POLL_MS;
    for (const { userId, position } of found) {
      if (!this.byUser.has(userId)) continue; // the last stream was closed meanwhile
      if (this.polled.get(userId) !== position) this.wake(userId);
      this.polled.set(userId, position);
    }
  }

  private wake(userId: string): void {
    for (const stream of this.byUser.get(userId) ?? []) stream.wake();
  }
}
