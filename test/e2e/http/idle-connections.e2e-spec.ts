import { on, once } from 'node:events';
import type { Socket } from 'node:net';
import { TestApp } from '../../support/app';
import { eventually } from '../../support/eventually';
import { openConnection } from '../../support/raw-connection';

const KEPT = '\r\nConnection: keep-alive\r\n';
const soon = () => ({ signal: AbortSignal.timeout(10_000) });

/** Opens a connection and sends a request. @returns the connection, and the response */
async function connected(t: TestApp): Promise<{ socket: Socket; head: string }> {
  const socket = await openConnection(t);
  return { socket, head: await ask(socket) };
}

async function ask(socket: Socket, route = 'GET /api/v1/health/live'): Promise<string> {
  socket.write(`${route} HTTP/1.1\r\nHost: x\r\n\r\n`);
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

  it('are not kept after a GET above four fifths of MAX_CONNECTIONS, and refused beyond it', async () => {
    const t = await TestApp.start({ env: { MAX_CONNECTIONS: '5' } });
    try {
      const kept: Socket[] = [];
      for (let n = 0; n < 4; n++) {
        const { socket, head } = await connected(t);
        expect(head).toContain(KEPT);
        kept.push(socket);
      }
      const { socket: last, head } = await connected(t);
      expect(head).toContain('\r\nConnection: close\r\n');
      await once(last, 'close', soon());

      const open = await openConnection(t);
      expect(await ask(open, 'POST /api/v1/auth/logout')).toContain(KEPT); // its body might not have arrived
      const beyond = await openConnection(t);
      await once(beyond, 'close', soon());
      expect(beyond.bytesRead).toBe(0);
      open.write('GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n');
      expect(await received(open, 'http_connections_refused_total 1\n')).toContain('\nhttp_connections_open 5\n');
      const [line] = t.logLines.filter((text) => text.includes('"http.connection_refused"'));
      expect(JSON.parse(line)).toMatchObject({ level: 'warn', ip: '127.0.0.1', open: 5 });

      await once(open, 'close', soon());
      kept.pop()!.destroy();
      await eventually(async () => (await connected(t)).head.includes(KEPT) || undefined, 'connections are kept again');
    } finally {
      await t.close();
    }
  });
});
