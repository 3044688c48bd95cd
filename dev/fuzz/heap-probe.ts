import { createServer } from 'node:http';
import { Session } from 'node:inspector';
// The service loads these when they are first needed, which would count as growth.
import '@simplewebauthn/server';
import '@simplewebauthn/server/helpers';
import '@zxcvbn-ts/language-common';

/**
 * Loaded into the process of the service with --require: reports its memory after a garbage
 * collection.
 */
const session = new Session();
session.connect();

createServer((_, response) => {
  session.post('HeapProfiler.collectGarbage', () => {
    const { heapUsed, external, rss } = process.memoryUsage();
    response.end(JSON.stringify({ used: heapUsed + external, rss }));
  });
})
  .listen(Number(process.env.HEAP_PROBE_PORT), '127.0.0.1')
  .unref();
