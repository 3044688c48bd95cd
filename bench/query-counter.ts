import type { Socket } from 'node:net';
import { TcpProxy } from '../dev/tcp-proxy';

/** The traffic to the database. */
export interface Traffic {
  /**
   * Messages with statements, including BEGIN and COMMIT. Several statements in one message count
   * once.
   */
  readonly messages: number;
  /** How often the client waited for a response. */
  readonly roundTrips: number;
}

/**
 * Simple query, and Bind of the extended protocol (PostgreSQL documentation, section "Message
 * Formats"). Parse is sent only once for a prepared statement.
 */
const COUNTED = new Set(['Q', 'B']);

/**
 * The startup parameter of connections that count: those of the pool, not the one that listens for
 * notifications.
 */
const COUNTED_APPLICATION = 'application_name\0tenantry\0';

/** Part of the channel on which an instance checks every 15 seconds that notifications arrive. */
const ECHO_CHANNEL = 'tenantry_echo_';

/** A proxy in front of PostgreSQL that counts statements and round trips. */
export class QueryCounter {
  private messages = 0;
  private roundTrips = 0;
  private proxy!: TcpProxy;

  static async start(url: string): Promise<QueryCounter> {
    const counter = new QueryCounter();
    counter.proxy = await TcpProxy.start(url, (client, database) => counter.count(client, database));
    return counter;
  }

  /** The address of the database through this proxy. */
  get url(): string {
    return this.proxy.url;
  }

  /** Counts the traffic of `work`. No other requests may run meanwhile. */
  async during(work: () => Promise<unknown>): Promise<Traffic> {
    this.messages = this.roundTrips = 0;
    await work();
    return { messages: this.messages, roundTrips: this.roundTrips };
  }

  async close(): Promise<void> {
    await this.proxy.close();
  }

  private count(client: Socket, database: Socket): void {
    let rest = Buffer.alloc(0);
    let isStartup = true;
    let waiting = true;
    let isCounted = false;
    client.on('data', (data) => {
      if (isStartup) isCounted = data.includes(COUNTED_APPLICATION);
      const isEcho = data.includes(ECHO_CHANNEL);
      if (waiting && isCounted && !isEcho) this.roundTrips++;
      waiting = false;
      rest = Buffer.concat([rest, data]);
      for (;;) {
        const head = isStartup ? 0 : 1; // the first message has no type
        if (rest.length < head + 4 || rest.length < head + rest.readUInt32BE(head)) break;
        if (!isStartup && isCounted && !isEcho && COUNTED.has(String.fromCharCode(rest[0]))) this.messages++;
        rest = rest.subarray(head + rest.readUInt32BE(head));
        isStartup = false;
      }
      database.write(data);
    });
    database.on('data', (data) => {
      waiting = true;
      client.write(data);
    });
  }
}
