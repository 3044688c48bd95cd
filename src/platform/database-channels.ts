import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Client } from 'pg';
import { SETTINGS, type Settings } from '../config/settings';
import { streamOf } from './impatient-client';
import { Log } from './log';

/** How long after a lost connection the next one is tried, and how often work that does without it is done meanwhile. */
const RETRY_MS = 250;
const CHECK_MS = 5000;
const TIMEOUT_MS = 2000;

/** Who listens to a channel. */
export interface ChannelListener {
  /** Something was said on the channel. */
  hear(payload: string): void;
  /** The connection stands (again). What was said before is lost, and is to be read from the database. */
  missed(): void | Promise<void>;
  /** There is no connection; called again and again until there is one. Without it nothing is done meanwhile. */
  poll?(): void;
}

/**
 * Hears what any instance says on channels of PostgreSQL (LISTEN), all of them on one connection besides the pool, which is checked and, when it is
 * lost, made again.
 */
@Injectable()
export class DatabaseChannels implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly listeners = new Map<string, ChannelListener>();
  private client?: Client;
  private retry?: NodeJS.Timeout;
  private check?: NodeJS.Timeout;
  private polling?: NodeJS.Timeout;
  private stopped = false;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly log: Log,
  ) {}

  /** To be called before the application starts. */
  listen(channel: string, listener: ChannelListener): void {
    this.listeners.set(channel, listener);
  }

  /** Returns once it listens, or has failed to for the first time and goes on trying. A process that only works jobs tells nobody anything. */
  async onApplicationBootstrap(): Promise<void> {
    if (this.settings.worker !== 'only') await this.open();
  }

  /** At once: a goodbye might never be answered. */
  onApplicationShutdown(): void {
    this.stopped = true;
    clearTimeout(this.retry);
    clearInterval(this.polling);
    if (this.client) this.lost(this.client);
  }

  private async open(): Promise<void> {
    if (this.stopped) return;
    const client = new Client({
      connectionString: this.settings.database.url,
      application_name: 'tenantry listener',
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
    });
    this.client = client;
    client.on('notification', ({ channel, payload = '' }) => this.listeners.get(channel)?.hear(payload));
    client.on('error', () => this.lost(client));
    client.on('end', () => this.lost(client));
    try {
      await client.connect();
      await client.query([...this.listeners.keys()].map((channel) => `LISTEN ${client.escapeIdentifier(channel)}`).join('; '));
      if (this.stopped) return;
      this.check = setInterval(() => void client.query('SELECT 1').catch(() => this.lost(client)), CHECK_MS);
      clearInterval(this.polling);
      this.polling = undefined;
      for (const listener of this.listeners.values()) await listener.missed();
    } catch (error) {
      if (!this.polling) this.log.warn({ err: error }, 'cannot listen to the database; trying again');
      this.lost(client);
    }
  }

  private lost(client: Client): void {
    if (this.client !== client) return; // heard of it before
    this.client = undefined;
    clearInterval(this.check);
    streamOf(client).destroy(); // a farewell might never be answered
    if (this.stopped) return;
    this.polling ??= setInterval(() => this.listeners.forEach((listener) => listener.poll?.()), RETRY_MS);
    this.retry = setTimeout(() => void this.open(), RETRY_MS);
  }
}
