import { createServer, connect, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Bytes at a time, and milliseconds between, of a line that trickles. */
const DROP_BYTES = 64;
const DROP_MS = 5;

/**
 * How long a server takes to notice that whoever it talks to has vanished, with the keep-alives
 * that the service asks for.
 */
const VANISHED_MS = 20_000;

/** A client's connection, and the one that it is led to. */
type Pair = readonly [client: Socket, upstream: Socket];

/**
 * A line to a server that can be cut, frozen, slow, swallow, break in the middle of an answer, or
 * answer something of its own.
 */
export class TcpProxy {
  /** Milliseconds that everything takes longer, in either direction. */
  delayMs = 0;
  /** Everything comes in small pieces. */
  trickles = false;
  /** Every connection breaks in the middle of the next answer. */
  breaks = false;
  /**
   * A connection breaks before the next answer that has this in it: the server has done what was
   * asked, and nobody hears of it.
   */
  breaksBefore?: string;
  /** Whoever connects, or says something, is reset. */
  resets = false;
  /**
   * What is answered to whatever is asked, after which the connection ends; the server does not
   * hear of it.
   */
  lie?: string;
  port = 0;
  private readonly pairs = new Set<Pair>();
  private dead = new WeakSet<Pair>();
  private server?: Server;
  private frozen = false;

  private constructor(private targetPort: number) {}

  /** @param url address of the server; the result has the proxy's port instead */
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

  /**
   * Connections stay open, new ones are taken, but nothing passes: a machine that hangs, or a
   * network that swallows.
   */
  freeze(): void {
    this.frozen = true;
    for (const pair of this.pairs) for (const socket of pair) socket.pause();
  }

  thaw(): void {
    this.frozen = false;
    for (const pair of this.pairs) for (const socket of pair) socket.resume();
  }

  /**
   * What is connected now is dead without a word: nothing passes any more, and neither end hears
   * that the other is gone. New connections work.
   */
  swallow(): void {
    for (const pair of this.pairs) this.dead.add(pair);
  }

  /** New connections lead to another server. */
  leadTo(port: number): void {
    this.targetPort = port;
  }

  private forward(client: Socket): void {
    if (this.resets) return void client.resetAndDestroy();
    const pair: Pair = [client, connect(this.targetPort, '127.0.0.1')];
    const [, upstream] = pair;
    this.pairs.add(pair);
    const end = () => {
      this.pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    const toUpstream = this.passing(upstream);
    const toClient = this.passing(client);
    const isDead = () => this.dead.has(pair);
    client.on('data', (data) => {
      if (isDead()) return;
      if (this.resets) return void client.resetAndDestroy();
      if (this.lie === undefined) return toUpstream(data);
      client.end(this.lie);
    });
    client
      .on('close', () => (isDead() ? void setTimeout(end, VANISHED_MS).unref() : end()))
      .on('error', () => undefined);
    upstream.on('data', (data) => {
      if (isDead()) return;
      if (this.breaksBefore !== undefined && data.includes(this.breaksBefore)) return end();
      if (!this.breaks) return toClient(data);
      client.write(data.subarray(0, Math.ceil(data.length / 2)), end);
    });
    upstream.on('close', () => !isDead() && end()).on('error', () => undefined);
    if (this.frozen) for (const socket of pair) socket.pause();
  }

  /** What writes to a socket, one piece after the other. */
  private passing(socket: Socket): (data: Buffer) => void {
    let before = Promise.resolve();
    let waiting = 0;
    return (data) => {
      if (waiting === 0 && this.delayMs === 0 && !this.trickles) return void socket.write(data);
      waiting++;
      before = before.then(() => this.pass(socket, data)).finally(() => waiting--);
    };
  }

  private async pass(socket: Socket, data: Buffer): Promise<void> {
    await pause(this.delayMs);
    for (let from = 0; from < data.length;) {
      const to = this.trickles ? from + DROP_BYTES : data.length;
      socket.write(data.subarray(from, to));
      from = to;
      if (this.trickles) await pause(DROP_MS);
    }
  }
}
