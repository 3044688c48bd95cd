import { setImmediate } from 'node:timers/promises';
import type { QueryResult } from 'pg';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import type { Batching } from './batching-client';
import { isAborted, isStalePlan } from './database-errors';

/**
 * Milliseconds in which PostgreSQL executes all statements that are sent together with COMMIT: less
 * than the client waits for them, so that a response 503 never hides a commit (docs/contract.md,
 * Availability).
 */
const COMMIT_MS = 2400;

/**
 * A transaction on one connection. TypeORM's own would send BEGIN, the scope and COMMIT as messages
 * of their own and wait for each.
 */
export class Transaction {
  /** The first refusal of a statement whose result nobody waits for. */
  private refusal?: Error;
  private hasBegun = false;
  private hasEnded = false;

  private constructor(
    private readonly runner: QueryRunner,
    private readonly client: Batching,
  ) {}

  /** Takes a connection from the pool. The caller ends the transaction and calls `release`. */
  static async on(source: DataSource): Promise<Transaction> {
    const runner = source.createQueryRunner();
    const client = (await runner.connect()) as Batching;
    // TypeORM begins no transaction of its own in a running one, and nests with savepoints
    return new Transaction(Object.assign(runner, { isTransactionActive: true, transactionDepth: 1 }), client);
  }

  /** TypeORM's manager in this transaction. */
  get manager(): EntityManager {
    return this.runner.manager;
  }

  /**
   * Begins, and sends statements without parameters in the same message.
   * @returns the result of the last one
   */
  async begin(statements: string): Promise<QueryResult> {
    this.hasBegun = true;
    return ((await this.client.query(`BEGIN; ${statements}`)) as unknown as QueryResult[]).at(-1)!;
  }

  /** Begins together with the next statement. */
  beginLater(statements?: string): void {
    const sql = statements ? `BEGIN; ${statements}` : 'BEGIN';
    this.observe(this.client.hold({ sql, onSend: () => (this.hasBegun = true) }));
  }

  /** Sends a statement together with the next one, or with COMMIT. */
  write(sql: string, parameters?: unknown[]): void {
    if (this.hasEnded) throw new Error('The transaction has ended.');
    this.observe(this.client.hold({ sql, parameters }));
  }

  /** @throws the refusal of a statement that was sent together with another one */
  async commit(): Promise<void> {
    this.hasEnded = true;
    const first = this.hasBegun ? 0 : 1;
    const writes = this.client.heldStatements - first;
    if (writes > 1) {
      const sql = `SET LOCAL statement_timeout = ${Math.floor(COMMIT_MS / writes)}`;
      this.observe(this.client.hold({ sql }, first));
    }
    const { command } = await this.client.query('COMMIT');
    if (command === 'COMMIT' && !this.refusal) return;
    throw (await this.firstRefusal()) ?? new Error('The transaction was rolled back.');
  }

  /** Rolls back, if it has begun. A lost connection has rolled back by itself. */
  async rollBack(): Promise<void> {
    this.hasEnded = true;
    this.client.forget();
    if (this.hasBegun) await this.client.query('ROLLBACK').catch(() => undefined);
  }

  /** Why a statement failed: after a refused statement, PostgreSQL refuses all others. */
  async causeOf(error: unknown): Promise<unknown> {
    if (!isAborted(error) && !isStalePlan(error)) return error;
    return (await this.firstRefusal()) ?? error;
  }

  /** Returns the connection to the pool. */
  async release(): Promise<void> {
    Object.assign(this.runner, { isTransactionActive: false, transactionDepth: 0 });
    await this.runner.release();
  }

  /** The rejections of held statements arrive after the response to the last one. */
  private async firstRefusal(): Promise<Error | undefined> {
    await setImmediate();
    return this.refusal;
  }

  private observe(result: Promise<unknown>): void {
    result.catch((error: Error) => {
      if (!isAborted(error)) this.refusal ??= error;
    });
  }
}
