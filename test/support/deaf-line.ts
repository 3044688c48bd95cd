import type { Socket } from 'node:net';
import { Line } from '../../dev/line';

/** As the listening connection of an instance names itself when it begins. */
const LISTENER = 'tenantry listener';

/** NotificationResponse (PostgreSQL documentation, section "Message Formats"). */
const NOTIFICATION = 'A';

/**
 * A line to the database over which no notification comes, as behind a pooler that lends
 * connections for one transaction: LISTEN succeeds all the same. Or one that falls silent, without
 * being cut.
 */
export class DeafLine {
  /** Whether notifications come through. */
  hears = false;
  private readonly listeners = new Set<Socket>();
  private line!: Line;

  static async before(url: string): Promise<DeafLine> {
    const deaf = new DeafLine();
    deaf.line = await Line.before(url, (client, database) => deaf.attend(client, database));
    return deaf;
  }

  /** The database's address, over this line. */
  get url(): string {
    return this.line.url;
  }

  /** From now on nothing comes over the listening connections that stand; new ones are refused. */
  silence(): void {
    this.line.refuse();
    for (const socket of this.listeners) socket.pause();
  }

  close(): void {
    this.line.close();
  }

  private attend(client: Socket, database: Socket): void {
    client.once('data', (startup) => void (startup.includes(LISTENER) && this.listeners.add(database)));
    client.on('data', (data) => database.write(data));
    let rest = Buffer.alloc(0);
    database.on('data', (data) => {
      rest = Buffer.concat([rest, data]);
      while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
        const end = rest.readUInt32BE(1) + 1;
        if (this.hears || String.fromCharCode(rest[0]) !== NOTIFICATION) client.write(rest.subarray(0, end));
        rest = rest.subarray(end);
      }
    });
  }
}
