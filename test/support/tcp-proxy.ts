import { createServer, connect, type Server, type Socket } from 'node:net';

/** A line to the database that the test can cut or freeze. */
export class TcpProxy {
  private readonly pairs = new Set<[Socket, Socket]>();
  private server?: Server;
  private frozen = false;
  port = 0;

  private constructor(private readonly targetPort: number) {}

  /** @param url address of the database; the result has the proxy's port instead */
  static async before(url: string): Promise<{ proxy: TcpProxy; url: string }> {
    const target = new URL(url);
    const proxy = new TcpProxy(Number(target.port));
    await proxy.mend();
    target.port = String(proxy.port);
    return { proxy, url: target.toString() };
  }

  /** Nobody answers any more: open connections break, new ones are refused. */
  async cut(): Promise<void> {
    const closed = new Promise((resolve) => this.server!.close(resolve));
    for (const pair of this.pairs) for (const socket of pair) socket.destroy();
    await closed;
  }

  /** Answers again after a cut. */
  async mend(): Promise<void> {
    this.server = createServer((client) => this.forward(client));
    await new Promise<void>((resolve) => this.server!.listen(this.port, '127.0.0.1', resolve));
    this.port = (this.server.address() as { port: number }).port;
  }

  /** Connections stay open, new ones are taken, but nothing passes: a machine that hangs, or a network that swallows. */
  freeze(): void {
    this.frozen = true;
    for (const pair of this.pairs) for (const socket of pair) socket.pause();
  }

  thaw(): void {
    this.frozen = false;
    for (const pair of this.pairs) for (const socket of pair) socket.resume();
  }

  private forward(client: Socket): void {
    const upstream = connect(this.targetPort, '127.0.0.1');
    const pair: [Socket, Socket] = [client, upstream];
    this.pairs.add(pair);
    const end = () => {
      this.pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    client
      .on('data', (data) => upstream.write(data))
      .on('close', end)
      .on('error', end);
    upstream
      .on('data', (data) => client.write(data))
      .on('close', end)
      .on('error', end);
    if (this.frozen) for (const socket of pair) socket.pause();
  }
}
