import type { ClientBase, ClientConfig, QueryResult } from 'pg';
import { ClientWithTimeout } from './pg-client-with-timeout';
import type { QueryCallback } from './pg-query';
import { PreparedQuery, type NamedStatement } from './prepared-query';
import { ResultDescriptions } from './result-descriptions';
import { StatementBatch, StatementPreparation, type BatchResult, type Statement } from './statement-batch';

/** A client that sends several statements at once. */
export interface Batching extends ClientBase {
  /** Whether BEGIN is held. */
  readonly holdsBegin: boolean;
  /** How many warnings PostgreSQL has sent. */
  readonly warnings: number;
  /** How many statements are held besides. */
  readonly heldStatements: number;
  /**
   * Sends BEGIN in one packet with the next statement, before it and all held ones. If BEGIN is
   * refused, so is the next one, with the same error.
   * @param text may contain several statements
   */
  holdBegin(text: string): void;
  /**
   * Sends a statement as one batch with the next one, before it. A refusal is that of the next one.
   * @param position before which of the held statements; absent: after all
   */
  hold(statement: Statement, position?: number): void;
  /** Forgets what is held. */
  forget(): void;
  /**
   * Prepares a statement of earlier batches. Outside of a transaction, which a refusal would abort.
   */
  prepare(): void;
  /**
   * Sends statements with one Sync (see StatementBatch), outside of a transaction.
   * @throws the refusal of any of them
   */
  batch<Row extends object>(statements: readonly Statement[]): Promise<BatchResult<Row>>;
}

/** Ends a transaction. */
export const COMMIT = 'COMMIT';

/** SQLSTATE of a warning. */
const WARNING = '01000';

type Send = (statement: unknown, values?: unknown, callback?: unknown) => Promise<QueryResult>;
type Callback = (error: unknown, result?: QueryResult) => void;
/** A text without a list of parameters, not even an empty one, may contain several statements. */
type Query = (statement: string | Statement, values?: unknown[], callback?: Callback) => Promise<QueryResult> | void;

/**
 * Sends statements whose results nobody waits for together with the next one, which saves a round
 * trip for each. Statements are executed in the order in which they were given.
 */
export class BatchingClient extends ClientWithTimeout implements Batching {
  warnings = 0;
  private begin?: string;
  private held: Statement[] = [];
  private readonly descriptions = new ResultDescriptions();
  /** Statements of batches that have succeeded, by their names, which they were sent without. */
  private readonly unprepared = new Map<string | undefined, Statement>();

  constructor(config?: string | ClientConfig) {
    super(config);
    this.on('notice', ({ code }) => (this.warnings += code === WARNING ? 1 : 0));
    const send = this.query.bind(this) as Send;
    const query: Query = (statement, values, callback) => {
      if (!this.isHolding) {
        return typeof statement === 'string' && Array.isArray(values)
          ? this.sendOne(send, statement, values, callback)
          : send(statement, values, callback);
      }
      const result = this.sendHeld(send, statement, values);
      if (!callback) return result;
      result.then((found) => callback(null, found), callback);
    };
    this.query = query as typeof this.query;
  }

  private get isHolding(): boolean {
    return this.holdsBegin || this.held.length > 0;
  }

  get holdsBegin(): boolean {
    return this.begin !== undefined;
  }

  get heldStatements(): number {
    return this.held.length;
  }

  holdBegin(text: string): void {
    this.begin = text;
  }

  hold(statement: Statement, position = this.held.length): void {
    this.held.splice(position, 0, statement);
  }

  forget(): void {
    this.begin = undefined;
    this.held = [];
  }

  /** One at a time: it may wait for a table that a migration has locked. */
  prepare(): void {
    const [statement] = this.unprepared.values();
    if (!statement) return;
    this.unprepared.delete(statement.name);
    this.submit(new StatementPreparation(statement));
  }

  batch<Row extends object>(statements: readonly Statement[]): Promise<BatchResult<Row>> {
    this.prepare();
    return this.sendBatch<Row>(statements);
  }

  private sendBatch<Row extends object>(statements: readonly Statement[]): Promise<BatchResult<Row>> {
    return new Promise((resolve, reject) => {
      const named = statements.map(({ name, text, values }) => ({ name: name ?? this.nameOf(text), text, values }));
      const batch = new StatementBatch<Row>(named, this.descriptions, (outcome, refused) => {
        if (outcome instanceof Error) {
          this.refused(refused, outcome);
          return reject(outcome);
        }
        for (const { name, text } of batch.unprepared) this.unprepared.set(name, { name, text });
        resolve(outcome);
      });
      this.submit(batch);
    });
  }

  /** The name under which a statement is prepared; undefined: it is not. */
  protected nameOf(_text: string): string | undefined {
    return undefined;
  }

  /** A statement was refused. */
  protected refused(_statement: Statement, _error: Error): void {}

  /** For pg, it is one of its own queries. */
  private submit(query: object): void {
    this.query(query as { submit: () => void });
  }

  private sendHeld(send: Send, last: string | Statement, values?: unknown[]): Promise<QueryResult> {
    const { begin, held } = this;
    this.forget();
    const statement = typeof last === 'string' ? { text: last, values } : last;
    const sendRest = () => {
      if (held.length > 0) return this.sendBatch([...held, statement]).then(({ result }) => result);
      return typeof last === 'string' && values ? this.sendOne(send, last, values)! : send(statement);
    };
    if (begin === undefined) return sendRest();
    if (statement.text !== COMMIT) this.prepare(); // what is sent with COMMIT has no time for it
    return Promise.all([send(begin), sendRest()]).then(([, result]) => result);
  }

  /** A single statement, prepared if it has a name. */
  private sendOne(
    send: Send,
    text: string,
    values: readonly unknown[],
    callback?: Callback,
  ): Promise<QueryResult> | void {
    const name = this.nameOf(text);
    if (name === undefined) return send(text, values, callback);
    const statement = { name, text, values };
    if (callback) return this.sendPrepared(statement, callback);
    return new Promise<QueryResult>((resolve, reject) =>
      this.sendPrepared(statement, (error, result) => (error ? reject(error) : resolve(result))),
    ).catch((error: Error) => {
      Error.captureStackTrace(error); // as pg does, so that it shows who has sent the statement
      throw error;
    });
  }

  /** Does not throw: the callback gets every error. */
  private sendPrepared(statement: NamedStatement, callback: QueryCallback): void {
    const settle: QueryCallback = (error, result) => {
      if (error) this.refused(statement, error);
      callback(error, result);
    };
    try {
      this.submit(new PreparedQuery(statement, this.descriptions, settle));
    } catch (error) {
      process.nextTick(callback, error);
    }
  }
}
