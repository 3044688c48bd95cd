import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port';
import { LocalPorts } from './local-ports';

describe('the ports of local mode', () => {
  let folder: string;
  let servers: Server[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ports-'));
    servers = [];
  });
  afterEach(() => {
    for (const server of servers) server.close();
    rmSync(folder, { recursive: true });
  });

  const occupy = async (port: number) => {
    const server = createServer().listen(port, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
  };
  /** The port of a start at which these ports are preferred. */
  const start = (inbox: number) =>
    new LocalPorts(join(folder, 'ports.json'), { service: 0, inbox, identityProvider: 0, processor: 0 }).portOf(
      'inbox',
    );

  it('stay when a port that was in use at the first start is free at the next', async () => {
    const preferred = await freePort();
    await occupy(preferred);
    const first = await start(preferred);
    expect(first).toBeGreaterThan(preferred);
    servers[0].close();
    expect(await start(preferred)).toBe(first);
  });

  it('stay when any port would do', async () => {
    expect(await start(0)).toBe(await start(0));
  });

  it('change when another program uses them', async () => {
    const first = await start(0);
    await occupy(first);
    const second = await start(0);
    expect(second).toBeGreaterThan(first);
    expect(await start(0)).toBe(second);
  });
});
