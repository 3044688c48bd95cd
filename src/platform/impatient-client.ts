import type { Socket } from 'node:net';
import { Client, type ClientBase, type ClientConfig, type PoolConfig } from 'pg';

/**
 * A connection that hangs up when an answer is overdue. pg alone would hand a connection whose peer has vanished back to the pool, where it
 * would make every later query wait as well; one that has hung up is replaced.
 */
class ImpatientClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
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
export function inOnePacket<T>(client: ClientBase, ask: () => T): T {
  const stream = streamOf(client);
  stream.cork();
  try {
    return ask();
  } finally {
    stream.uncork();
  }
}

/** pg does not say in its types that a client has a socket. */
export const streamOf = (client: ClientBase) => (client as unknown as { connection: { stream: Socket } }).connection.stream;

/**
 * Pool options under which nobody waits long for a database that does not answer: connecting and asking together take less than the 5 seconds
 * after which a caller must have heard "503" (contract section 1).
 */
export const impatient: PoolConfig & { Client: typeof Client } = {
  Client: ImpatientClient,
  connectionTimeoutMillis: 2000,
  query_timeout: 2500,
  keepAlive: true,
};
