import { Agent, request as open, type IncomingHttpHeaders } from 'node:http';

/** A request as it is sent, and what is known about it. */
export interface FuzzRequest {
  readonly method: string;
  /** Escaped, without the query. */
  readonly path: string;
  /** Escaped, without the question mark; empty for none. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON. Undefined: no body. */
  readonly body?: unknown;
  /** Sent as it is instead of the body. */
  readonly raw?: Buffer;
  /** The path was changed: it may belong to another operation, or to none. */
  readonly isElsewhere?: boolean;
  /** The path names something of another tenant. */
  readonly isForeign?: boolean;
}

/** An answer, read to its end; of a stream only the head. */
export interface FuzzAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 });
/** Longer than the service ever takes; what does not answer by then is a failure. */
const TIMEOUT_MS = 20_000;

/**
 * The bytes of a request's body. JSON.stringify escapes lone surrogates, so that they reach the
 * service as `\\ud800`.
 */
export const bytesOf = ({ raw, body }: FuzzRequest): Buffer | undefined =>
  raw ?? (body === undefined ? undefined : Buffer.from(stringify(body)));

/** JSON of any depth: JSON.stringify would overflow the stack. */
function stringify(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return '['.repeat(3_000) + ']'.repeat(3_000);
  }
}

/**
 * A connection that waited for its next request may be closed by the service just when that is
 * sent; it is sent once more then, as every client does. A service that closes connections because
 * of what is sent does so again.
 * @throws when the connection fails or no answer comes
 */
export async function send(address: string, fuzzed: FuzzRequest): Promise<FuzzAnswer> {
  try {
    return await sendOnce(address, fuzzed);
  } catch (error) {
    if (!(error instanceof ClosedWhileWaiting)) throw error;
    return sendOnce(address, fuzzed);
  }
}

class ClosedWhileWaiting extends Error {}

function sendOnce(address: string, fuzzed: FuzzRequest): Promise<FuzzAnswer> {
  const { method, path, query, headers } = fuzzed;
  const bytes = bytesOf(fuzzed);
  const length =
    bytes === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(bytes.length) };
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const target = query === '' ? path : `${path}?${query}`;
    const sent = open(
      { agent, hostname, port, method, path: target, headers: { ...length, ...headers }, timeout: TIMEOUT_MS },
      (response) => {
        const { statusCode: status = 0, headers: answered } = response;
        if (answered['content-type']?.startsWith('text/event-stream')) {
          response.destroy();
          return resolve({ status, headers: answered, text: '' });
        }
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve({ status, headers: answered, text: Buffer.concat(chunks).toString() }));
        response.on('error', reject);
      },
    );
    sent.on('timeout', () => sent.destroy(new Error('no answer')));
    sent.on('error', (error: NodeJS.ErrnoException) =>
      reject(sent.reusedSocket && error.code === 'ECONNRESET' ? new ClosedWhileWaiting(error.message) : error),
    );
    sent.end(bytes);
  });
}
