import type { QueryResult } from 'pg';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { COMMIT, type Batching } from './batching-client';
import { OutcomeUnknown } from './database-errors';
import type { WritePosition } from './write-position';

/**
 * Milliseconds in which PostgreSQL executes all statements that are sent together with COMMIT: half
 * a second less than the client waits, so that a response 503 hides no commit (docs/contract.md,
 * Availability). The rest is for COMMIT itself, which PostgreSQL does not limit. A single statement
 * has the same limit as any other, `statement_timeout`.
 */
const WRITES_MS = 2000;

/** Of each statement that is sent with COMMIT; $1 is a number of milliseconds. */
const LIMIT_STATEMENTS = `SELECT set_config('statement_timeout', $1, true)`;

/** PostgreSQL warns if something has canceled the wait for a synchronous standby. */
const NOT_REPLICATED = 'COMMIT was answered with a warning: the transaction may be on no standby.';

/**
 * A transaction on one connection. TypeORM's own would send BEGIN, the scope and COMMIT as messages
 * of their own and wait for each.
 */
export class Transaction {
  private hasEnded = false;

  private constructor(
    private readonly runner: QueryRunner,
    private readonly client: Batching,
  ) {}

  /** Takes a connection from the pool. The caller ends the transaction and calls `release`. */
  static async on(source: DataSource): Promise<Transaction> {
    const runner = source.createQueryRunner();
    const client = (await runner.connect()) as Batching;
    keepUntilReleased(source, runner);
    // TypeORM begins no transaction of its own in a running one, and nests with savepoints
    return new Transaction(Object.assign(runner, { isTransactionActive: true, transactionDepth: 1 }), client);
  }

  /** TypeORM's manager in this transaction. @throws after the end */
  get manager(): EntityManager {
    this.refuseIfEnded();
    return this.runner.manager;
  }

  /**
   * Begins, and sends statements without parameters in the same message.
   * @returns the result of the last one
   */
  async begin(statements: string): Promise<QueryResult> {
    this.client.prepare();
    const results = await this.client.query(`BEGIN; ${statements}`);
    return (results as unknown as QueryResult[]).at(-1)!;
  }

  /** Begins together with the next statement. */
  beginLater(statements?: string): void {
    this.client.holdBegin(statements ? `BEGIN; ${statements}` : 'BEGIN');
  }

  /**
   * The rows of a statement. It goes straight to pg: TypeORM's own takes twice the time.
   * @throws after the end
   */
  async query<Row extends object>(sql: string, parameters: unknown[]): Promise<Row[]> {
    this.refuseIfEnded();
    return (await this.client.query<Row>(sql, parameters)).rows;
  }

  /** Sends a statement together with the next one, or with COMMIT. @throws after the end */
  write(text: string, values?: unknown[]): void {
    this.refuseIfEnded();
    this.client.hold({ text, values });
  }

  /**
   * @param written with a replica: reads the position behind COMMIT in the same packet
   * @throws the refusal of a statement that was sent together with another one; OutcomeUnknown
   */
  async commit(written?: WritePosition): Promise<void> {
    this.hasEnded = true;
    const writes = this.client.heldStatements;
    if (writes > 1) this.client.hold({ text: LIMIT_STATEMENTS, values: [Math.ceil(WRITES_MS / writes)] }, 0);
    const { warnings } = this.client;
    const { command } = await this.sendCommit(written).catch((error: unknown) => {
      throw OutcomeUnknown.of(error);
    });
    if (this.client.warnings > warnings) throw new OutcomeUnknown(new Error(NOT_REPLICATED));
    if (command !== COMMIT) throw new Error('The transaction was rolled back.');
  }

  private async sendCommit(written?: WritePosition): Promise<QueryResult> {
    if (!written) return this.client.query(COMMIT);
    const sent = [this.client.query(COMMIT), written.read(this.client)] as const;
    await Promise.allSettled(sent);
    return sent[0];
  }

  /** Rolls back, if it has begun. A lost connection has rolled back by itself. */
  async rollBack(): Promise<void> {
    this.hasEnded = true;
    const hasBegun = !this.client.holdsBegin;
    this.client.forget();
    if (hasBegun) await this.client.query('ROLLBACK').catch(() => undefined);
  }

  /** The connection may already belong to another transaction, which has another scope. */
  private refuseIfEnded(): void {
    if (this.hasEnded) throw new Error('The transaction has ended.');
  }

  /** Returns the connection to the pool. */
  async release(): Promise<void> {
    Object.assign(this.runner, { isTransactionActive: false, transactionDepth: 0 });
    await this.runner.release();
  }
}

/**
 * TypeORM's `DataSource.destroy` would return the connection to the pool in the middle of the
 * transaction, and the pool would hand it to a waiting request. It now waits for `release`.
 */
function keepUntilReleased({ driver }: DataSource, runner: QueryRunner): void {
  const { connectedQueryRunners } = driver as unknown as { connectedQueryRunners: QueryRunner[] };
  const index = connectedQueryRunners.indexOf(runner); // -1 if the connection was lost meanwhile
  if (index >= 0) connectedQueryRunners.splice(index, 1);
}
