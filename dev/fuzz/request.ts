import { Agent, request as open, type IncomingHttpHeaders } from 'node:http';

/** A request of the fuzzer. */
export interface FuzzRequest {
  readonly method: string;
  /** Escaped, without the query. */
  readonly path: string;
  /** Escaped, without the question mark. Empty without a query. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON. undefined: no body. */
  readonly body?: unknown;
  /** Raw bytes, sent instead of the body. */
  readonly raw?: Buffer;
  /** The path was changed and may belong to another operation, or to none. */
  readonly isElsewhere?: boolean;
  /** The request has an id of another tenant. */
  readonly isForeign?: boolean;
}

/** A complete response. Of a stream, only its head. */
export interface FuzzAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 });
/** Longer than the service may take for any request. */
const TIMEOUT_MS = 20_000;

/**
 * The bytes of the body. JSON.stringify escapes lone surrogates, so they reach the service as
 * `\\ud800`.
 */
export const bytesOf = ({ raw, body }: FuzzRequest): Buffer | undefined =>
  raw ?? (body === undefined ? undefined : Buffer.from(stringify(body)));

/** JSON.stringify overflows the stack for very deep values, which are replaced by deep arrays. */
function stringify(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return '['.repeat(3_000) + ']'.repeat(3_000);
  }
}

/**
 * Sends a request. If the service closes the idle connection at that moment, the request is sent
 * once more, as HTTP clients do. A service that closes the connection because of the request does
 * so again.
 * @throws if the connection fails or there is no response
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
    sent.on('timeout', () => sent.destroy(new Error('no response')));
    sent.on('error', (error: NodeJS.ErrnoException) =>
      reject(sent.reusedSocket && error.code === 'ECONNRESET' ? new ClosedWhileWaiting(error.message) : error),
    );
    sent.end(bytes);
  });
}
