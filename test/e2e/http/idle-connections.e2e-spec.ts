import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { TestApp } from '../../support/app';

const soon = () => ({ signal: AbortSignal.timeout(10_000) });

/** Opens a connection and sends a request. @returns the connection, and the response */
async function connected({ address }: TestApp): Promise<{ socket: Socket; head: string }> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  return { socket, head: await ask(socket) };
}

async function ask(socket: Socket): Promise<string> {
  socket.write('GET /api/v1/health/live HTTP/1.1\r\nHost: x\r\n\r\n');
  const [head] = (await once(socket, 'data', soon())) as [string];
  return head;
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
});
