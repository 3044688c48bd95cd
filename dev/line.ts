import { connect, createServer, type Server, type Socket } from 'node:net';

/** What a line does with one connection: it passes on, in both directions, what it will. */
type Attend = (client: Socket, upstream: Socket) => void;

/** A line of ours before a server. Both ends of a connection end together. */
export class Line {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    /** The server's address, over this line. */
    readonly url: string,
  ) {}

  /** @param url address of the server */
  static async before(url: string, attend: Attend): Promise<Line> {
    const target = new URL(url);
    const port = Number(target.port);
    const server = createServer((client) => line.lead(client, port, attend));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    target.port = String((server.address() as { port: number }).port);
    const line = new Line(server, target.toString());
    return line;
  }

  /** New connections are refused; those that stand stay. */
  refuse(): void {
    this.server.close();
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }

  private lead(client: Socket, port: number, attend: Attend): void {
    const upstream = connect(port, '127.0.0.1');
    this.sockets.add(client).add(upstream);
    attend(client, upstream);
    for (const [one, other] of [[client, upstream], [upstream, client]]) one.on('close', () => other.destroy()).on('error', () => other.destroy()); // prettier-ignore
  }
}
