import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { Gauge } from 'prom-client';
import { SETTINGS, type Settings } from '../../config/settings';
import { Database } from './database';
import { streamOf } from './pg-client-with-timeout';
import { Log } from '../observability/log';
import { Metrics } from '../observability/metrics';
import { withTimeout } from '../timeout';

/** Milliseconds between attempts to reconnect, and between polls while there is no connection. */
const RETRY_MS = 250;
/** Milliseconds between checks of the connection, and that a check may take. */
const CHECK_MS = 1000;
const ANSWER_MS = 1000;
const TIMEOUT_MS = 2000;

const DEAF =
  'Notifications of PostgreSQL do not arrive: DATABASE_DIRECT_URL must reach the same server without a pooler.';

/** How often it is checked that notifications still arrive, and how long one may take. */
@Injectable()
export class ListenTiming {
  readonly echoEveryMs: number = 15_000;
  readonly echoWithinMs: number = 5000;
}

/** A listener of a channel. */
export interface ChannelListener {
  /** Called for each notification. */
  onNotification(payload: string): void;
  /**
   * Called when the connection is established, again or for the first time. Earlier notifications
   * are lost and must be read from the database.
   */
  onConnected(): void | Promise<void>;
  /** Called at once and four times a second while notifications do not arrive. */
  poll(): void;
}

/**
 * Receives notifications of PostgreSQL channels (LISTEN/NOTIFY) from all instances, on one
 * connection outside of the pool. The connection is checked and replaced when it is lost. Behind a
 * pooler in transaction mode, or at a server that is not that of DATABASE_URL, LISTEN succeeds but
 * nothing arrives. A connection therefore counts only while it receives the notifications that this
 * instance sends itself through the pool: at first, and every 15 seconds (decision 35). Otherwise
 * the listeners poll.
 */
@Injectable()
export class DatabaseChannels implements OnApplicationBootstrap, OnApplicationShutdown {
  /** A channel of this instance only, for the check. */
  private readonly echoChannel = `tenantry_echo_${randomBytes(8).toString('hex')}`;
  private readonly listeners = new Map<string, ChannelListener>();
  private client?: Client;
  private echoedAt = 0;
  private isEchoing = false;
  private heard?: () => void;
  private retry?: NodeJS.Timeout;
  private check?: NodeJS.Timeout;
  private polling?: NodeJS.Timeout;
  private stopped = false;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly database: Database,
    private readonly timing: ListenTiming,
    metrics: Metrics,
    private readonly log: Log,
  ) {
    if (settings.worker === 'only') return;
    const isListening = () => this.isListening;
    new Gauge({
      name: 'database_listener_hears',
      help: 'Whether notifications of PostgreSQL arrive (1) or are polled for (0)',
      registers: [metrics],
      collect() {
        this.set(isListening() ? 1 : 0);
      },
    });
  }

  /** Whether notifications arrive. */
  get isListening(): boolean {
    return this.client !== undefined && this.polling === undefined;
  }

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

  /** Closes the socket at once, because a server that hangs would not respond to a clean end. */
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
    client.on('notification', ({ channel, payload = '' }) => {
      if (channel === this.echoChannel) this.heard?.();
      else this.listeners.get(channel)?.onNotification(payload);
    });
    client.on('error', (error) => this.lost(client, error));
    client.on('end', () => this.lost(client));
    try {
      await client.connect();
      const channels = [this.echoChannel, ...this.listeners.keys()];
      await client.query(channels.map((channel) => `LISTEN ${client.escapeIdentifier(channel)}`).join('; '));
      if (!(await this.hears(ANSWER_MS))) throw new Error(DEAF);
      if (this.client !== client) return; // lost or stopped in the meantime
      this.check = setInterval(() => {
        void withTimeout(ANSWER_MS, client.query('SELECT 1')).catch(() => this.lost(client));
        void this.checkHearing(client);
      }, CHECK_MS);
      for (const listener of this.listeners.values()) await listener.onConnected();
      if (this.client !== client) return;
      if (this.polling)
        this.log.info({ event: 'database.listen_recovered' }, 'Notifications of PostgreSQL arrive again');
      clearInterval(this.polling);
      this.polling = undefined;
    } catch (error) {
      this.lost(client, error);
    }
  }

  /**
   * Replaces the connection when it has become deaf. A notification that cannot be sent says
   * nothing.
   */
  private async checkHearing(client: Client): Promise<void> {
    if (this.isEchoing || performance.now() - this.echoedAt < this.timing.echoEveryMs) return;
    this.isEchoing = true;
    const hears = await this.hears(this.timing.echoWithinMs).catch(() => true);
    this.isEchoing = false;
    if (hears || this.client !== client) return;
    this.lost(client, undefined, () =>
      this.log.warn({ event: 'database.listener_deaf' }, `${DEAF} Polling until they do.`),
    );
  }

  /**
   * Sends a notification through the pool and waits until the current connection has received it.
   * @throws when it cannot be sent
   */
  private async hears(withinMs: number): Promise<boolean> {
    this.echoedAt = performance.now();
    const heard = new Promise<void>((resolve) => (this.heard = resolve));
    await this.database.query('SELECT pg_notify($1, $2)', [this.echoChannel, '']);
    return withTimeout(withinMs, heard).then(
      () => true,
      () => false,
    );
  }

  private newClient(): Client {
    return new Client({
      connectionString: this.settings.database.directUrl,
      application_name: 'tenantry listener',
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
    });
  }

  /** @param report logs the loss, unless the connection was lost before and has not come back */
  private lost(
    client: Client,
    error?: unknown,
    report = () =>
      this.log.warn({ event: 'database.listen_failed', err: error }, 'LISTEN on PostgreSQL failed; retrying'),
  ): void {
    if (this.client !== client) return; // already handled
    this.client = undefined;
    clearInterval(this.check);
    streamOf(client).destroy(); // a clean goodbye might never get a response
    if (this.stopped) return;
    if (!this.polling) {
      report();
      const poll = () => this.listeners.forEach((listener) => listener.poll());
      this.polling = setInterval(poll, RETRY_MS);
      poll();
    }
    this.retry = setTimeout(() => {
      void this.open();
    }, RETRY_MS);
  }
}
