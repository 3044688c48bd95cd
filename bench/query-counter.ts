import type { Socket } from 'node:net';
import { Line } from '../dev/line';

/** What was sent to the database. */
export interface Traffic {
  /** Statements, BEGIN and COMMIT among them; several in one message count once. */
  readonly messages: number;
  /** How often an answer had to be waited for. */
  readonly roundTrips: number;
}

/**
 * Simple query, and Parse of the extended protocol (PostgreSQL documentation, section "Message
 * Formats").
 */
const COUNTED = new Set(['Q', 'P']);

/**
 * As a connection names itself when it begins: those of the pool, not the one that listens for
 * notifications.
 */
const COUNTED_APPLICATION = 'application_name\0tenantry\0';

/** A line to the database that counts what goes over it. */
export class QueryCounter {
  private messages = 0;
  private roundTrips = 0;
  private line!: Line;

  static async before(url: string): Promise<QueryCounter> {
    const counter = new QueryCounter();
    counter.line = await Line.before(url, (client, database) => counter.attend(client, database));
    return counter;
  }

  /** The database's address, over this line. */
  get url(): string {
    return this.line.url;
  }

  /** What `work` sends, if nobody else sends anything. */
  async during(work: () => Promise<unknown>): Promise<Traffic> {
    this.messages = this.roundTrips = 0;
    await work();
    return { messages: this.messages, roundTrips: this.roundTrips };
  }

  close(): void {
    this.line.close();
  }

  private attend(client: Socket, database: Socket): void {
    let rest = Buffer.alloc(0);
    let isStartup = true;
    let waiting = true;
    let isCounted = false;
    client.on('data', (data) => {
      if (isStartup) isCounted = data.includes(COUNTED_APPLICATION);
      if (waiting && isCounted) this.roundTrips++;
      waiting = false;
      rest = Buffer.concat([rest, data]);
      for (;;) {
        const head = isStartup ? 0 : 1; // the first message has no type
        if (rest.length < head + 4 || rest.length < head + rest.readUInt32BE(head)) break;
        if (!isStartup && isCounted && COUNTED.has(String.fromCharCode(rest[0]))) this.messages++;
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
