import { createServer } from 'node:net';

/** `wanted` if it is free on the loopback addresses, else any free port. */
export async function freePort(wanted = 0): Promise<number> {
  for (const port of wanted === 0 ? [0] : [wanted, 0]) {
    const free = await tryPort(port);
    if (free) return free;
  }
  throw new Error('no free port');
}

function tryPort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const { port: found } = server.address() as { port: number };
      server.close(() => resolve(found));
    });
  });
}
