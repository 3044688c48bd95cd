import { on, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { TestApp } from '../../support/app';

const soon = () => ({ signal: AbortSignal.timeout(10_000) });

function opened({ address }: TestApp): Socket {
  const { hostname, port } = new URL(address);
  return connect(Number(port), hostname).setEncoding('utf8').resume();
}

/** Opens a connection and sends a request. @returns the connection, and the response */
async function connected(t: TestApp): Promise<{ socket: Socket; head: string }> {
  const socket = opened(t);
  return { socket, head: await ask(socket) };
}

const START = 'GET /api/v1/health/live HTTP/1.1\r\n';
const REST = 'Host: x\r\n\r\n';

async function ask(socket: Socket, text = START + REST): Promise<string> {
  socket.write(text);
  const [head] = (await once(socket, 'data', soon())) as [string];
  return head;
}

/** What arrives, up to a text. */
async function received(socket: Socket, text: string): Promise<string> {
  let all = '';
  for await (const [chunk] of on(socket, 'data', soon()) as AsyncIterable<[string]>) {
    all += chunk;
    if (all.includes(text)) break;
  }
  return all;
}

describe('idle connections', () => {
  it('are closed after KEEP_ALIVE_SECONDS, which clients are told', async () => {
    const t = await TestApp.start({ env: { KEEP_ALIVE_SECONDS: '1' } });
    try {
      const { socket, head } = await connected(t);
      expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\nKeep-Alive: timeout=1\r\n/);
      await once(socket, 'close', soon());
    } finally {
      await t.close();
    }
  });

  it('stay open by default for longer than most balancers keep theirs', async () => {
    const t = await TestApp.start();
    try {
      const { socket, head } = await connected(t);
      expect(head).toContain('\r\nKeep-Alive: timeout=75\r\n');
      await new Promise((resolve) => setTimeout(resolve, 7000)); // by itself, Node closes after 5 to 6 seconds
      expect(await ask(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
      socket.destroy();
    } finally {
      await t.close();
    }
  });

  it('are not kept when most of MAX_CONNECTIONS are open, and those beyond are refused', async () => {
    const t = await TestApp.start({ env: { MAX_CONNECTIONS: '2' } });
    try {
      const [first, last] = [await connected(t), await connected(t)];
      expect(first.head).toContain('\r\nConnection: keep-alive\r\n');
      expect(last.head).toContain('\r\nConnection: close\r\n');
      await once(last.socket, 'close', soon());

      const open = opened(t);
      await once(open, 'connect', soon());
      const beyond = opened(t);
      await once(beyond, 'close', soon());
      expect(beyond.bytesRead).toBe(0);

      open.write(`GET /metrics HTTP/1.1\r\n${REST}`);
      expect(await received(open, 'http_connections_refused_total 1\n')).toContain('\nhttp_connections_open 2\n');
      const [line] = t.logLines.filter((text) => text.includes('"http.connection_refused"'));
      expect(JSON.parse(line)).toMatchObject({ level: 'warn', ip: '127.0.0.1', open: 2 });
      first.socket.destroy();
    } finally {
      await t.close();
    }
  });
});
