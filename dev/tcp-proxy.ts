import { createServer, connect, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** How data is sent while the proxy trickles: the size of a piece and the pause after it. */
interface Trickle {
  readonly bytes: number;
  readonly pauseMs: number;
}

/**
 * How long a server takes to notice that a client has vanished, with the TCP keep-alive that the
 * service configures.
 */
const VANISHED_MS = 20_000;

type Pair = readonly [client: Socket, upstream: Socket];

/** Forwards the data of one connection in both directions, instead of the proxy. */
export type Relay = (client: Socket, upstream: Socket) => void;

/** A TCP proxy in front of a server, which can simulate the failures of a network. */
export class TcpProxy {
  /** Delays all data by this time, in both directions. */
  delayMs = 0;
  /** If set, sends all data in small pieces. */
  trickle?: Trickle;
  /** Closes a connection in the middle of the next response. */
  breaksResponses = false;
  /**
   * Closes a connection before a response that contains this text: the server has done its work,
   * and the client does not learn of it.
   */
  breaksBefore?: string;
  /** Resets connections when they are opened and when the client sends data. */
  resets = false;
  /**
   * Responds to every request with this text and closes the connection, without contacting the
   * server.
   */
  cannedResponse?: string;
  private port = 0;
  private readonly pairs = new Set<Pair>();
  private blackholed = new WeakSet<Pair>();
  private server?: Server;
  private frozen = false;

  private constructor(
    private readonly target: URL,
    private readonly relay?: Relay,
  ) {}

  /** @param url the address of the server */
  static async start(url: string, relay?: Relay): Promise<TcpProxy> {
    const proxy = new TcpProxy(new URL(url), relay);
    await proxy.listen();
    return proxy;
  }

  /** The address of the server, with the port of the proxy. */
  get url(): string {
    const url = new URL(this.target);
    url.port = String(this.port);
    return url.toString();
  }

  /** Closes all connections and refuses new ones. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server!.close(resolve));
    for (const pair of this.pairs) for (const socket of pair) socket.destroy();
    await closed;
  }

  /** Refuses new connections. Open ones continue. */
  refuseNew(): void {
    this.server!.close();
  }

  /** Accepts connections, again after `close`. */
  async listen(): Promise<void> {
    this.server = createServer((client) => this.forward(client));
    await new Promise<void>((resolve) => this.server!.listen(this.port, '127.0.0.1', resolve));
    this.port = (this.server.address() as { port: number }).port;
  }

  /** Stops all data. Connections stay open and new ones are accepted, as if the server hung. */
  freeze(): void {
    this.frozen = true;
    for (const pair of this.pairs) for (const socket of pair) socket.pause();
  }

  thaw(): void {
    this.frozen = false;
    for (const pair of this.pairs) for (const socket of pair) socket.resume();
  }

  /** Drops the data of all open connections. Neither end is notified. New connections work. */
  blackhole(): void {
    for (const pair of this.pairs) this.blackholed.add(pair);
  }

  /** Forwards new connections to another port. */
  redirectTo(port: number): void {
    this.target.port = String(port);
  }

  private forward(client: Socket): void {
    if (this.resets) {
      client.resetAndDestroy();
      return;
    }
    const pair: Pair = [client, connect(Number(this.target.port), '127.0.0.1')];
    const [, upstream] = pair;
    this.pairs.add(pair);
    const end = () => {
      this.pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    const isBlackholed = () => this.blackholed.has(pair);
    if (this.relay) this.relay(client, upstream);
    else this.relayWithFaults(pair, isBlackholed, end);
    const onClientClosed = () => {
      if (isBlackholed()) setTimeout(end, VANISHED_MS).unref();
      else end();
    };
    client.on('close', onClientClosed).on('error', () => undefined);
    upstream.on('close', () => !isBlackholed() && end()).on('error', () => undefined);
    if (this.frozen) for (const socket of pair) socket.pause();
  }

  private relayWithFaults([client, upstream]: Pair, isBlackholed: () => boolean, end: () => void): void {
    const toUpstream = this.writerOf(upstream);
    const toClient = this.writerOf(client);
    client.on('data', (data) => {
      if (isBlackholed()) return;
      if (this.resets) client.resetAndDestroy();
      else if (this.cannedResponse === undefined) toUpstream(data);
      else client.end(this.cannedResponse);
    });
    upstream.on('data', (data) => {
      if (isBlackholed()) return;
      if (this.breaksBefore !== undefined && data.includes(this.breaksBefore)) end();
      else if (this.breaksResponses) client.write(data.subarray(0, Math.ceil(data.length / 2)), end);
      else toClient(data);
    });
  }

  /** @returns a function that writes to the socket, in the order of its calls */
  private writerOf(socket: Socket): (data: Buffer) => void {
    let previous = Promise.resolve();
    let waiting = 0;
    return (data) => {
      if (waiting === 0 && this.delayMs === 0 && !this.trickle) {
        socket.write(data);
        return;
      }
      waiting++;
      previous = previous.then(() => this.writeSlowly(socket, data)).finally(() => waiting--);
    };
  }

  private async writeSlowly(socket: Socket, data: Buffer): Promise<void> {
    await pause(this.delayMs);
    for (let from = 0; from < data.length;) {
      const { trickle } = this;
      const to = trickle ? from + trickle.bytes : data.length;
      socket.write(data.subarray(from, to));
      from = to;
      if (trickle) await pause(trickle.pauseMs);
    }
  }
}
