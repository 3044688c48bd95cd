import express, { json, raw, type NextFunction, type Request, type Response } from 'express';
import { once } from 'node:events';
import { createServer, ServerResponse, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { withRequestContext } from '../../platform/observability/request-context';
import { BodyReader } from './body-reader';
import { boundedRequestClass } from './bounded-request';
import { FailureException } from '../responses/http-status';

class SmallReader extends BodyReader {
  protected override readonly mostBytes = 500_000;
}

const PARSE = json({ limit: '1mb' });
const KEEP = raw({ type: () => true, limit: '1mb' });

const chunked = (path: string, chunk: string, count: number) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n` +
  `${chunk.length.toString(16)}\r\n${chunk}\r\n`.repeat(count);

/** Bodies are read by `/json` and `/slow`, whose time is short, and not by `/unread`. */
describe('the reader of bodies', () => {
  let server: Server;
  let reader: BodyReader;
  let client: string;
  const sockets: Socket[] = [];

  beforeEach(async () => {
    reader = new SmallReader();
    client = '192.0.2.1';
    const app = express();
    const read = (deadline?: number) => (request: Request, response: Response, next: NextFunction) =>
      withRequestContext({ requestId: 'r', userAgent: null, ip: client }, () =>
        reader.read(deadline === undefined ? PARSE : KEEP, request, response, next, deadline),
      );
    app.post('/json', read(), (request: Request, response: Response) => response.json(request.body));
    app.post('/slow', read(100), (_request: Request, response: Response) => response.end('read'));
    app.post('/unread', (_request: Request, response: Response) => response.end('unread'));
    app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
      if (!(error instanceof FailureException)) return next(error);
      response.status(error.failure.code === 'UNAVAILABLE' ? 503 : 400).json(error.failure.details ?? {});
    });
    const BoundedRequest = boundedRequestClass();
    Object.setPrototypeOf(BoundedRequest.prototype, app.request);
    Object.assign(app, { request: BoundedRequest.prototype }); // or Express would replace it
    server = createServer({ IncomingMessage: BoundedRequest, ServerResponse }, app);
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterEach(() => {
    sockets.splice(0).forEach((socket) => socket.destroy());
    server.close();
  });

  /** Sends text on a new connection. @returns what is received until the connection is closed */
  function send(text: string): { socket: Socket; received: Promise<string> } {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8');
    sockets.push(socket);
    let answer = '';
    socket.on('data', (part: string) => (answer += part)).on('error', () => undefined);
    socket.write(text);
    return { socket, received: once(socket, 'close').then(() => answer) };
  }

  const end = '0\r\n\r\n';
  /** A JSON text of so many bytes. */
  const whole = (bytes: number) => `["${'x'.repeat(bytes - 4)}"]`;

  it('reads a body, also one in many chunks', async () => {
    const parts = ['["', ...Array<string>(900).fill('x'), '"]'].map((part) => `${part.length}\r\n${part}\r\n`).join('');
    const { socket, received } = send(chunked('/json', '', 0) + parts + end);
    setTimeout(() => socket.end(), 200);
    expect(await received).toContain(JSON.stringify(['x'.repeat(900)]));
  });

  it('refuses a body in more than 1,000 chunks, and closes the connection', async () => {
    const { received } = send(chunked('/json', 'x', 1100));
    expect(await received).toMatch(/^HTTP\/1.1 400 [^]*must not arrive in so many small chunks/);
  });

  it('allows one more chunk for each 512 bytes', async () => {
    reader = new BodyReader();
    for (const [size, status] of [
      [128, 200], // 1,200 chunks have 300 times 512 bytes
      [32, 400],
    ] as const) {
      const { socket, received } = send(chunked('/slow', 'x'.repeat(size), 1200) + end);
      setTimeout(() => socket.end(), 300);
      expect(await received).toMatch(new RegExp(`^HTTP/1.1 ${status}`));
    }
  });

  it('closes the connection of an unread body in too many chunks', async () => {
    const { received } = send(chunked('/unread', 'x', 300_000));
    expect(await received).toMatch(/^(HTTP\/1.1 200|$)/);
  });

  it('refuses a body that does not arrive in time', async () => {
    const { received } = send(chunked('/slow', 'x', 1));
    expect(await received).toMatch(/^HTTP\/1.1 400 [^]*did not arrive in time/);
  });

  it('takes the largest body of the client with the most bytes when there are too many', async () => {
    const hostile = [150_000, 180_000, 160_000].map((bytes) => send(chunked('/json', 'x'.repeat(bytes), 1)));
    await new Promise((resolve) => setTimeout(resolve, 100));
    client = '198.51.100.7';
    const { socket, received } = send(chunked('/json', whole(50_000), 1) + end);
    expect(await hostile[1].received).toMatch(/^HTTP\/1.1 503/);
    setTimeout(() => socket.end(), 200);
    expect(await received).toMatch(/^HTTP\/1.1 200/);
    const left = await Promise.race([hostile[0].received, hostile[2].received, Promise.resolve('open')]);
    expect(left).toBe('open');
  });

  it('forgets the bytes of a body that ends, is refused or is left', async () => {
    for (let round = 0; round < 5; round++) {
      const [ended, refused, left] = [
        send(chunked('/json', whole(200_000), 1) + end),
        send(chunked('/json', 'x', 1100)),
        send(chunked('/json', whole(200_000), 1)),
      ];
      await refused.received;
      await new Promise((resolve) => setTimeout(resolve, 50));
      ended.socket.end();
      left.socket.destroy();
      expect(await ended.received).toMatch(/^HTTP\/1.1 200/);
    }
  });
});
