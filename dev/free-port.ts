import { createServer } from 'node:net';

const NEIGHBORS = 50;

/**
 * Finds a port that is free on both loopback addresses: `wanted` or the next one above it, so that
 * a second clone gets the same port at each start. 0: any port.
 */
export async function freePort(wanted = 0): Promise<number> {
  const candidates = wanted === 0 ? [0] : Array.from({ length: NEIGHBORS }, (_, i) => wanted + i);
  for (const port of candidates) {
    const free = await tryPort(port, '127.0.0.1');
    // A program on ::1 would take requests for localhost. Without IPv6 there is none.
    if (free && (await tryPort(free, '::1')) !== undefined) return free;
  }
  throw new Error(`All ports from ${wanted} to ${wanted + NEIGHBORS} are in use.`);
}

/**
 * @returns the port, undefined if it is in use, 0 if the address does not exist
 */
function tryPort(port: number, host: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code === 'EADDRINUSE' || code === 'EACCES' ? undefined : 0),
    );
    server.listen({ port, host, exclusive: true }, () => {
      const { port: found } = server.address() as { port: number };
      server.close(() => resolve(found));
    });
  });
}
