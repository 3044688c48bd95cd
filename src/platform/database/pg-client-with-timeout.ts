import type { Socket } from 'node:net';
import { Client, types, type ClientBase, type ClientConfig, type PoolConfig } from 'pg';

/**
 * Milliseconds that a caller waits for a response. All statements sent in one packet are answered
 * within this time.
 */
const ANSWER_MS = 2500;

/**
 * Milliseconds after which PostgreSQL gives up, which is before the client does: a request that was
 * answered 503 had no effect, and the connection can be reused. A transaction whose client is
 * silent is rolled back.
 */
const SERVER_LIMITS = { statement_timeout: 2000, lock_timeout: 1900, idle_in_transaction_session_timeout: 10_000 };

/** PostgreSQL detects within 20 seconds that a client has disappeared. */
const SERVER_OPTIONS = Object.entries({
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 2,
  tcp_user_timeout: 20_000,
})
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');

/**
 * Sets the limits as connection parameters, which takes no additional message. Parameters in the
 * URL stay.
 */
function limitAtServer(client: Client): void {
  const { connectionParameters } = client as unknown as { connectionParameters: { options?: string } };
  const options = [connectionParameters.options, SERVER_OPTIONS].filter(Boolean).join(' ');
  Object.assign(connectionParameters, SERVER_LIMITS, { options });
}

/**
 * A client that sends statements which start in the same tick in one packet, and that closes its
 * socket when a response is overdue. pg alone would return the connection to the pool, where every
 * later query would also hang.
 */
export class ClientWithTimeout extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    limitAtServer(this);
    this.setTypeParser(types.builtins.DATE, String); // a Date would be midnight in the process's time zone
    // The caller gets the error. Without a listener between pool and caller, the error event would
    // end the process.
    this.on('error', () => undefined);
    const send = this.query.bind(this) as (...parameters: unknown[]) => unknown;
    this.query = ((...parameters: unknown[]) => {
      sendTogether(streamOf(this));
      const response = send(...parameters);
      if (response instanceof Promise) response.catch((error: Error) => this.hangUpIfOverdue(error));
      return response;
    }) as typeof this.query;
  }

  private hangUpIfOverdue(error: Error): void {
    if (error.message !== 'Query read timeout') return;
    streamOf(this).destroy();
  }
}

/** Holds back what is written until the next tick. */
function sendTogether(stream: Socket): void {
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** The socket of a client, which pg's types do not show. */
export const streamOf = (client: ClientBase) =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

/**
 * Pool options with timeouts. Connecting and querying together take less than the 5 seconds after
 * which a caller must have got a 503 (docs/contract.md, Availability).
 */
export const withClientTimeout: PoolConfig & { Client: typeof Client } = {
  Client: ClientWithTimeout,
  connectionTimeoutMillis: 2000,
  query_timeout: ANSWER_MS,
  keepAlive: true,
};
