import { createServer, type ServerResponse } from 'node:http';
import { percentile } from './statistics';

/** What arrived since the last reset. Times are in milliseconds. */
export interface Arrivals {
  readonly count: number;
  /** From the first request to the last one. */
  readonly elapsed: number;
  /** From the time in the message to its arrival. */
  readonly p99: number;
}

/** Requests to this path are never answered, until a reset closes them. */
export const HANGING_PATH = '/hanging';

const PERCENT = 99;
let first = 0;
let last = 0;
let delays: number[] = [];
const hanging = new Set<ServerResponse>();

function reset(): void {
  delays = [];
  for (const response of hanging) response.destroy();
  hanging.clear();
}

const arrivals = (): Arrivals => ({
  count: delays.length,
  elapsed: last - first,
  p99: delays.length === 0 ? 0 : percentile(delays, PERCENT),
});

/** A receiver of webhooks in its own process. It writes its address to stdout. */
const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.end(JSON.stringify(arrivals()));
    if (request.url === '/reset') reset();
    return;
  }
  if (request.url === HANGING_PATH) {
    hanging.add(response);
    return;
  }
  const at = Date.now();
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { timestamp } = JSON.parse(Buffer.concat(chunks).toString()) as { timestamp: string };
    if (delays.length === 0) first = at;
    last = at;
    delays.push(at - Date.parse(timestamp));
    response.end();
  });
});
if (require.main === module)
  server.listen(0, '127.0.0.1', () => {
    const address = server.address() as { port: number };
    process.stdout.write(`http://127.0.0.1:${address.port}\n`);
  });
