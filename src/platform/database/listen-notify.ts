import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { SETTINGS, type Settings } from '../../config/settings';
import { streamOf } from './pg-client-with-timeout';
import { Log } from '../observability/log';
import { withTimeout } from '../timeout';

/**
 * How long after a lost connection the next one is tried, and how often work that does without it
 * is done meanwhile.
 */
const RETRY_MS = 250;
/** A connection that hangs is noticed after both of these. */
const CHECK_MS = 1000;
const ANSWER_MS = 1000;
const TIMEOUT_MS = 2000;

/** Who listens to a channel. */
export interface ChannelListener {
  /** Something was said on the channel. */
  hear(payload: string): void;
  /**
   * The connection stands (again). What was said before is lost, and is to be read from the
   * database.
   */
  missed(): void | Promise<void>;
  /**
   * There is no connection; called again and again until there is one. Without it nothing is done
   * meanwhile.
   */
  poll?(): void;
}

/**
 * Hears what any instance says on channels of PostgreSQL (LISTEN), all of them on one connection
 * besides the pool, which is checked and, when it is lost, made again. Behind a pooler that lends
 * connections for one transaction LISTEN succeeds and nothing is ever heard: a connection counts
 * once it has heard what another one said.
 */
@Injectable()
export class DatabaseChannels implements OnApplicationBootstrap, OnApplicationShutdown {
  /** Of this instance alone. */
  private readonly echoChannel = `tenantry_echo_${randomBytes(8).toString('hex')}`;
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

  /**
   * Returns once it listens, or has failed to for the first time and goes on trying. A process that
   * only works jobs tells nobody anything.
   */
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
    const client = this.newClient();
    this.client = client;
    client.on('notification', ({ channel, payload = '' }) => this.listeners.get(channel)?.hear(payload));
    client.on('error', () => this.lost(client));
    client.on('end', () => this.lost(client));
    try {
      await client.connect();
      const channels = [this.echoChannel, ...this.listeners.keys()];
      await client.query(channels.map((channel) => `LISTEN ${client.escapeIdentifier(channel)}`).join('; '));
      await this.echo(client);
      if (this.client !== client) return; // lost, or stopped, meanwhile
      this.check = setInterval(
        () => void withTimeout(ANSWER_MS, client.query('SELECT 1')).catch(() => this.lost(client)),
        CHECK_MS,
      );
      for (const listener of this.listeners.values()) await listener.missed();
      if (this.client !== client) return;
      clearInterval(this.polling);
      this.polling = undefined;
    } catch (error) {
      if (!this.polling) this.log.warn({ err: error }, 'cannot listen to the database; trying again');
      this.lost(client);
    }
  }

  /** Says something by another connection, and waits until this one hears it. */
  private async echo(client: Client): Promise<void> {
    const heard = new Promise<void>((resolve) => {
      client.on('notification', ({ channel }) => channel === this.echoChannel && resolve());
    });
    const other = this.newClient();
    other.on('error', () => undefined); // whoever asks hears of it
    try {
      await other.connect();
      await other.query(`NOTIFY ${other.escapeIdentifier(this.echoChannel)}`);
      await withTimeout(ANSWER_MS, heard);
    } catch (cause) {
      throw new Error(
        'The listening connection does not hear what another one says; a pooler in between must not lend it by transaction.',
        {
          cause,
        },
      );
    } finally {
      streamOf(other).destroy();
    }
  }

  private newClient(): Client {
    return new Client({
      connectionString: this.settings.database.url,
      application_name: 'tenantry listener',
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
    });
  }

  private lost(client: Client): void {
    if (this.client !== client) return; // heard of it before
    this.client = undefined;
    clearInterval(this.check);
    streamOf(client).destroy(); // a farewell might never be answered
    if (this.stopped) return;
    if (!this.polling) {
      const poll = () => this.listeners.forEach((listener) => listener.poll?.());
      this.polling = setInterval(poll, RETRY_MS);
      poll();
    }
    this.retry = setTimeout(() => void this.open(), RETRY_MS);
  }
}
