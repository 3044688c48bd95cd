import { setImmediate } from 'node:timers/promises';
import type { QueryResult } from 'pg';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import type { Batching } from './batching-client';
import { isAborted } from './database-errors';

/**
 * A transaction on one connection. TypeORM's own would send BEGIN, the scope and COMMIT as messages
 * of their own and wait for each.
 */
export class Transaction {
  /** The first refusal of a statement whose result nobody waits for. */
  private refusal?: Error;

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
    return ((await this.client.query(`BEGIN; ${statements}`)) as unknown as QueryResult[]).at(-1)!;
  }

  /** Begins together with the next statement. */
  beginLater(statements?: string): void {
    this.write(statements ? `BEGIN; ${statements}` : 'BEGIN');
  }

  /** Sends a statement together with the next one, or with COMMIT. */
  write(sql: string, parameters?: unknown[]): void {
    this.client.hold(sql, parameters).catch((error: Error) => (this.refusal ??= error));
  }

  /** @throws the refusal of a statement that was sent together with another one */
  async commit(): Promise<void> {
    const { command } = await this.client.query('COMMIT');
    if (command === 'COMMIT') return;
    await setImmediate();
    throw this.refusal ?? new Error('The transaction was rolled back.');
  }

  /** Rolls back. A lost connection has rolled back by itself. */
  async rollBack(): Promise<void> {
    this.client.forget();
    await this.client.query('ROLLBACK').catch(() => undefined);
  }

  /** Why a statement failed: after a refused statement, PostgreSQL refuses all others. */
  async causeOf(error: unknown): Promise<unknown> {
    if (!isAborted(error)) return error;
    await setImmediate();
    return this.refusal ?? error;
  }

  /** Returns the connection to the pool. */
  async release(): Promise<void> {
    Object.assign(this.runner, { isTransactionActive: false, transactionDepth: 0 });
    await this.runner.release();
  }
}
