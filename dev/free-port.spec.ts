import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { freePort } from './free-port';

describe('a free port', () => {
  it('is none that the system gives to outgoing connections', async () => {
    const port = await freePort();
    expect(port).toBeGreaterThan(1023);
    expect(port).toBeLessThan(32_768);
  });

  it('is the next one if the wanted one is in use', async () => {
    const wanted = await freePort();
    const server = createServer().listen(wanted, '127.0.0.1');
    await once(server, 'listening');
    expect((server.address() as AddressInfo).port).toBe(wanted);
    const found = await freePort(wanted);
    expect(found).toBeGreaterThan(wanted);
    expect(found).toBeLessThan(wanted + 50);
    server.close();
  });
});
