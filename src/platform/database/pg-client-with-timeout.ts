import type { Socket } from 'node:net';
import { Client, type ClientBase, type ClientConfig, type PoolConfig } from 'pg';

/**
 * Milliseconds that a caller waits for an answer. What is asked in one packet is answered within
 * this time, or not at all.
 */
const ANSWER_MS = 2500;

/**
 * Milliseconds after which PostgreSQL gives up by itself, before its client does: what was answered
 * 503 has then not been done, and the connection can be used again. A transaction whose client says
 * nothing any more is rolled back.
 */
const SERVER_LIMITS = { statement_timeout: 2000, lock_timeout: 1900, idle_in_transaction_session_timeout: 10_000 };

/**
 * A client that has vanished while PostgreSQL sends to it, or reads from it, is noticed within 20
 * seconds.
 */
const SERVER_OPTIONS = Object.entries({
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 2,
  tcp_user_timeout: 20_000,
})
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');

/**
 * Sent with the first packet of a connection, so that they cost no message; whatever the address
 * says besides stays.
 */
function limitAtServer(client: Client): void {
  const { connectionParameters } = client as unknown as { connectionParameters: { options?: string } };
  const options = [connectionParameters.options, SERVER_OPTIONS].filter(Boolean).join(' ');
  Object.assign(connectionParameters, SERVER_LIMITS, { options });
}

/**
 * A connection that hangs up when an answer is overdue. pg alone would hand a connection whose peer
 * has vanished back to the pool, where it would make every later query wait as well; one that has
 * hung up is replaced.
 */
class ClientWithTimeout extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    limitAtServer(this);
    // Whoever asks hears of it. While the connection goes from the pool to who has asked for it
    // nobody listens, and that would end the process.
    this.on('error', () => undefined);
    const send = this.query.bind(this) as (...parameters: unknown[]) => unknown;
    this.query = ((...parameters: unknown[]) => {
      const answer = send(...parameters);
      if (answer instanceof Promise) answer.catch((error: Error) => this.hangUpIfOverdue(error));
      return answer;
    }) as typeof this.query;
  }

  private hangUpIfOverdue(error: Error): void {
    if (error.message !== 'Query read timeout') return;
    streamOf(this).destroy();
  }
}

/** Sends all that `ask` asks in one packet instead of one each. */
export function pipeline<T>(client: ClientBase, ask: () => T): T {
  const stream = streamOf(client);
  stream.cork();
  try {
    return ask();
  } finally {
    stream.uncork();
  }
}

/** pg does not say in its types that a client has a socket. */
export const streamOf = (client: ClientBase) =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

/**
 * Pool options under which nobody waits long for a database that does not answer: connecting and
 * asking together take less than the 5 seconds after which a caller must have heard "503" (contract
 * section 1).
 */
export const withClientTimeout: PoolConfig & { Client: typeof Client } = {
  Client: ClientWithTimeout,
  connectionTimeoutMillis: 2000,
  query_timeout: ANSWER_MS,
  keepAlive: true,
};
