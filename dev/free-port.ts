import { createServer } from 'node:net';

const NEIGHBOURS = 50;

/**
 * A port that is free on both loopback addresses: `wanted`, or the next above it, so that a second
 * clone finds the same one at each start; 0 for any.
 */
export async function freePort(wanted = 0): Promise<number> {
  const candidates = wanted === 0 ? [0] : Array.from({ length: NEIGHBOURS }, (_, i) => wanted + i);
  for (const port of candidates) {
    const free = await tryPort(port, '127.0.0.1');
    // A program on ::1 would answer in our place to whoever asks for localhost. Where there is no
    // IPv6, nobody can.
    if (free && (await tryPort(free, '::1')) !== undefined) return free;
  }
  throw new Error(`No port from ${wanted} to ${wanted + NEIGHBOURS} is free.`);
}

/**
 * The port, if it can be had there; undefined when somebody else has it; 0 when there is no such
 * address.
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
