import { connect, createServer, type Server, type Socket } from 'node:net';

/** As the listening connection of an instance names itself when it begins. */
const LISTENER = 'tenantry listener';

/** NotificationResponse (PostgreSQL documentation, section "Message Formats"). */
const NOTIFICATION = 'A';

/**
 * A line to the database over which no notification comes, as behind a pooler that lends connections for one transaction: LISTEN succeeds all the same.
 * Or one that falls silent, without being cut.
 */
export class DeafLine {
  /** Whether notifications come through. */
  hears = false;
  private readonly listeners = new Set<Socket>();
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    /** The database's address, over this line. */
    readonly url: string,
  ) {}

  static async before(url: string): Promise<DeafLine> {
    const target = new URL(url);
    const port = Number(target.port);
    const server = createServer((client) => line.forward(client, port));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    target.port = String((server.address() as { port: number }).port);
    const line = new DeafLine(server, target.toString());
    return line;
  }

  /** From now on nothing comes over the listening connections that stand; new ones are refused. */
  silence(): void {
    this.server.close();
    for (const socket of this.listeners) socket.pause();
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }

  private forward(client: Socket, port: number): void {
    const database = connect(port, '127.0.0.1');
    this.sockets.add(client).add(database);
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
    for (const [one, other] of [[client, database], [database, client]]) one.on('close', () => other.destroy()).on('error', () => other.destroy()); // prettier-ignore
  }
}
