import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const NEIGHBORS = 50;
/**
 * The range of any port. From 32768 on, Linux gives ports to outgoing connections, which may take
 * one that was free a moment ago.
 */
const LOWEST = 12_000;
const HIGHEST = 32_000;

/**
 * Finds a port that is free on both loopback addresses: `wanted` or the next one above it, so that
 * a second clone gets the same port at each start. 0: any port.
 */
export async function freePort(wanted = 0): Promise<number> {
  const first = wanted || randomInt(LOWEST, HIGHEST);
  for (let port = first; port < first + NEIGHBORS; port++) {
    // A program on ::1 would take requests for localhost. Without IPv6 there is none.
    if ((await isFree(port, '127.0.0.1')) && (await isFree(port, '::1'))) return port;
  }
  throw new Error(`All ports from ${first} to ${first + NEIGHBORS} are in use.`);
}

/** Whether nothing listens on a port, or the address does not exist. */
function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'EADDRINUSE' && code !== 'EACCES'));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
