import { createServer } from 'node:http';
import { Session } from 'node:inspector';

/**
 * Loaded into the service's process before the service: tells what its memory holds once the
 * garbage is collected.
 */
const session = new Session();
session.connect();

createServer((_, response) => {
  session.post('HeapProfiler.collectGarbage', () => {
    const { heapUsed, external, rss } = process.memoryUsage();
    response.end(JSON.stringify({ held: heapUsed + external, rss }));
  });
})
  .listen(Number(process.env.HEAP_PROBE_PORT), '127.0.0.1')
  .unref();
