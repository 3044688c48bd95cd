import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/settings';
import { DatabaseChannel } from '../platform/database-channel';
import { Log } from '../platform/log';

/** The channel on which instances tell each other that a person, whose id is said, has new notifications. */
export const NEW_NOTIFICATIONS = 'tenantry_notifications';
/** Streams per person on one instance; beyond it the oldest ends, which is most likely one that nobody reads any more. */
const STREAMS_PER_USER = 10;

/** A stream that is open. */
export interface OpenStream {
  wake(): void;
  end(): void;
}

/** The streams that are open on this instance, woken when any instance announces something for their person. */
@Injectable()
export class NotificationStreams implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly byUser = new Map<string, Set<OpenStream>>();
  private readonly channel: DatabaseChannel;
  private stopping = false;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    log: Log,
  ) {
    const wakeAll = () => [...this.byUser.keys()].forEach((userId) => this.wake(userId));
    this.channel = new DatabaseChannel(settings.database.url, NEW_NOTIFICATIONS, (userId) => this.wake(userId), wakeAll, log);
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.settings.worker !== 'only') await this.channel.open();
  }

  /** The first thing when the service stops: open requests are waited for, and these would never end by themselves. */
  async onModuleDestroy(): Promise<void> {
    this.stopping = true;
    for (const streams of this.byUser.values()) for (const stream of streams) stream.end();
    await this.channel.close();
  }

  /** Has a stream woken for its person from now on. @returns what takes it out again */
  add(userId: string, stream: OpenStream): () => void {
    const streams = this.byUser.get(userId) ?? new Set();
    this.byUser.set(userId, streams.add(stream));
    if (streams.size > STREAMS_PER_USER) [...streams][0].end();
    if (this.stopping) stream.end();
    return () => {
      streams.delete(stream);
      if (streams.size === 0 && this.byUser.get(userId) === streams) this.byUser.delete(userId);
    };
  }

  private wake(userId: string): void {
    for (const stream of this.byUser.get(userId) ?? []) stream.wake();
  }
}
