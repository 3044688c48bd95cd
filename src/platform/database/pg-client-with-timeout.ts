import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { Client, types, type ClientBase, type ClientConfig, type PoolConfig } from 'pg';
import { AnswerDeadlines } from './answer-deadlines';

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

/**
 * PostgreSQL compiles no statement (`jit`): that takes longer than any statement of the service
 * runs. It detects within 20 seconds that a client has disappeared.
 */
const SERVER_OPTIONS = Object.entries({
  jit: 'off',
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

type Callback = (error: unknown, result?: unknown) => void;
/** One of pg's query objects, with its callback. */
interface Submittable {
  submit: unknown;
  callback?: Callback;
}

/**
 * A client that sends statements which start in the same tick in one packet, and that closes its
 * socket when a response is overdue: a connection that goes back to the pool would let every later
 * query hang, too. pg's own `query_timeout` is not used, because after a stop of the machine it
 * fires before the answer is read that has arrived.
 */
export class ClientWithTimeout extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    limitAtServer(this);
    this.setTypeParser(types.builtins.DATE, String); // a Date would be midnight in the process's time zone
    // The caller gets the error. Without a listener between pool and caller, the error event would
    // end the process.
    this.on('error', () => undefined);
    neverReuseAfterFatal(this);
    const deadlines = new AnswerDeadlines(ANSWER_MS, () => streamOf(this).destroy(new Error(OVERDUE)));
    const answered = () => deadlines.removeOldest();
    const send = this.query.bind(this) as (...parameters: unknown[]) => unknown;
    this.query = ((...parameters: unknown[]) => {
      sendTogether(streamOf(this));
      deadlines.add();
      try {
        const response = send(...withAnswered(parameters, answered));
        if (response instanceof Promise) response.then(answered, answered);
        return response;
      } catch (error) {
        deadlines.removeNewest();
        throw error;
      }
    }) as typeof this.query;
  }
}

/** Calls `answered` before the callback among the parameters of a query, if there is one. */
function withAnswered(parameters: unknown[], answered: () => void): unknown[] {
  const before =
    (callback: Callback): Callback =>
    (error, result) => {
      answered();
      callback(error, result);
    };
  const [first] = parameters;
  if (isSubmittable(first) && first.callback) first.callback = before(first.callback);
  return parameters.map((parameter) => (typeof parameter === 'function' ? before(parameter as Callback) : parameter));
}

const isSubmittable = (query: unknown): query is Submittable =>
  typeof query === 'object' && query !== null && 'submit' in query;

/**
 * PostgreSQL closes the connection behind a FATAL error. pg notices it only then, and the pool
 * would give the connection to another request before.
 */
function neverReuseAfterFatal(client: Client): void {
  const internal = client as unknown as { connection: EventEmitter; _queryable: boolean };
  internal.connection.on('errorMessage', ({ severity }: { severity?: string }) => {
    if (severity === 'FATAL') internal._queryable = false;
  });
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

/** The error of statements whose response is overdue. */
const OVERDUE = 'Query read timeout';

/**
 * Pool options with timeouts. Connecting and querying together take less than the 5 seconds after
 * which a caller must have got a 503 (docs/contract.md, Availability).
 */
export const withClientTimeout: PoolConfig & { Client: typeof Client } = {
  Client: ClientWithTimeout,
  connectionTimeoutMillis: 2000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000, // balancers forget idle connections after minutes
};
