import { Client } from 'pg';
import { streamOf } from './impatient-client';
import type { Log } from './log';

const RETRY_MS = 1000;
const CHECK_MS = 15_000;
const TIMEOUT_MS = 5000;

/**
 * Hears what any instance says on a channel of PostgreSQL (LISTEN), on a connection of its own that is checked and, when it is lost, made again.
 * What is said meanwhile is lost, and so `missed` is called after every reconnection.
 */
export class DatabaseChannel {
  private client?: Client;
  private retry?: NodeJS.Timeout;
  private check?: NodeJS.Timeout;
  private stopped = false;

  constructor(
    private readonly url: string,
    private readonly channel: string,
    private readonly hear: (payload: string) => void,
    private readonly missed: () => void,
    private readonly log: Pick<Log, 'warn'>,
  ) {}

  /** Begins to listen; returns once it does, or has failed to for the first time and goes on trying. */
  async open(): Promise<void> {
    if (this.stopped) return;
    const client = new Client({
      connectionString: this.url,
      application_name: `tenantry ${this.channel}`,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
    });
    this.client = client;
    client.on('notification', ({ payload = '' }) => this.hear(payload));
    client.on('error', () => this.lost(client));
    client.on('end', () => this.lost(client));
    try {
      await client.connect();
      await client.query(`LISTEN ${client.escapeIdentifier(this.channel)}`);
      this.check = setInterval(() => void client.query('SELECT 1').catch(() => this.lost(client)), CHECK_MS);
      this.missed();
    } catch (error) {
      this.log.warn({ err: error, channel: this.channel }, 'cannot listen to the database; trying again');
      this.lost(client);
    }
  }

  /** At once: a goodbye might never be answered. */
  close(): void {
    this.stopped = true;
    clearTimeout(this.retry);
    if (this.client) this.lost(this.client);
  }

  private lost(client: Client): void {
    if (this.client !== client) return; // heard of it before
    this.client = undefined;
    clearInterval(this.check);
    streamOf(client).destroy(); // a goodbye might never be answered
    if (!this.stopped) this.retry = setTimeout(() => void this.open(), RETRY_MS);
  }
}
