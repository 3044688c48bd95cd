import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { SETTINGS, type Settings } from '../../config/settings';
import { streamOf } from './pg-client-with-timeout';
import { Log } from '../observability/log';
import { withTimeout } from '../timeout';

/** Milliseconds between attempts to reconnect, and between polls while there is no connection. */
const RETRY_MS = 250;
/** Milliseconds between checks of the connection, and that a check may take. */
const CHECK_MS = 1000;
const ANSWER_MS = 1000;
const TIMEOUT_MS = 2000;

/** A listener of a channel. */
export interface ChannelListener {
  /** Called for each notification. */
  onNotification(payload: string): void;
  /**
   * Called when the connection is established, again or for the first time. Earlier notifications
   * are lost and must be read from the database.
   */
  onConnected(): void | Promise<void>;
  /** Called repeatedly while there is no connection. Without it, the listener waits. */
  poll?(): void;
}

/**
 * Receives notifications of PostgreSQL channels (LISTEN/NOTIFY) from all instances, on one
 * connection outside of the pool. The connection is checked and replaced when it is lost. Behind a
 * pooler in transaction mode, LISTEN succeeds but nothing arrives, so a connection counts only
 * after it has received a notification sent by another connection.
 */
@Injectable()
export class DatabaseChannels implements OnApplicationBootstrap, OnApplicationShutdown {
  /** A channel of this instance only, for the check. */
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

  /** Must be called before the application starts. */
  listen(channel: string, listener: ChannelListener): void {
    this.listeners.set(channel, listener);
  }

  /**
   * Returns once it listens, or after the first failed attempt; it keeps trying. A process that
   * only runs jobs does not listen.
   */
  async onApplicationBootstrap(): Promise<void> {
    if (this.settings.worker !== 'only') await this.open();
  }

  /** Closes the socket at once, because a server that hangs would not answer a clean end. */
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
    client.on('notification', ({ channel, payload = '' }) => this.listeners.get(channel)?.onNotification(payload));
    client.on('error', () => this.lost(client));
    client.on('end', () => this.lost(client));
    try {
      await client.connect();
      const channels = [this.echoChannel, ...this.listeners.keys()];
      await client.query(channels.map((channel) => `LISTEN ${client.escapeIdentifier(channel)}`).join('; '));
      await this.echo(client);
      if (this.client !== client) return; // lost or stopped in the meantime
      this.check = setInterval(() => {
        void withTimeout(ANSWER_MS, client.query('SELECT 1')).catch(() => this.lost(client));
      }, CHECK_MS);
      for (const listener of this.listeners.values()) await listener.onConnected();
      if (this.client !== client) return;
      clearInterval(this.polling);
      this.polling = undefined;
    } catch (error) {
      if (!this.polling)
        this.log.warn({ event: 'database.listen_failed', err: error }, 'LISTEN on PostgreSQL failed; retrying');
      this.lost(client);
    }
  }

  /** Sends a notification from another connection and waits until this one receives it. */
  private async echo(client: Client): Promise<void> {
    const received = new Promise<void>((resolve) => {
      client.on('notification', ({ channel }) => channel === this.echoChannel && resolve());
    });
    const other = this.newClient();
    other.on('error', () => undefined); // the caller handles the error
    try {
      await other.connect();
      await other.query(`NOTIFY ${other.escapeIdentifier(this.echoChannel)}`);
      await withTimeout(ANSWER_MS, received);
    } catch (cause) {
      throw new Error('Notifications do not arrive. A pooler must not be in transaction mode for this connection.', {
        cause,
      });
    } finally {
      streamOf(other).destroy();
    }
  }

  private newClient(): Client {
    return new Client({
      connectionString: this.settings.database.directUrl,
      application_name: 'tenantry listener',
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
    });
  }

  private lost(client: Client): void {
    if (this.client !== client) return; // already handled
    this.client = undefined;
    clearInterval(this.check);
    streamOf(client).destroy(); // a clean goodbye might never be answered
    if (this.stopped) return;
    if (!this.polling) {
      const poll = () => this.listeners.forEach((listener) => listener.poll?.());
      this.polling = setInterval(poll, RETRY_MS);
      poll();
    }
    this.retry = setTimeout(() => {
      void this.open();
    }, RETRY_MS);
  }
}
