import type { ClientConfig } from 'pg';
import { BatchingClient } from './batching-client';
import { isStalePlan } from './database-errors';
import { streamOf } from './pg-client-with-timeout';
import { StatementNames } from './statement-names';

/** One for all connections of the process. */
const names = new StatementNames();

/**
 * A client that sends frequent statements as prepared statements. pg sends the text of a named
 * statement once for each connection; PgBouncer 1.21 and later does the same for its own
 * connections (`max_prepared_statements`).
 */
export class PreparingClient extends BatchingClient {
  constructor(config?: string | ClientConfig) {
    super(config);
    const send = this.query.bind(this) as (...parameters: unknown[]) => unknown;
    this.query = ((statement: unknown, values: unknown, ...rest: unknown[]) => {
      const name = typeof statement === 'string' && isList(values) ? names.nameOf(statement) : undefined;
      if (name === undefined) return send(statement, values, ...rest);
      const answer = send({ name, text: statement, values }, ...rest);
      if (answer instanceof Promise) answer.catch((error: unknown) => this.hangUpIfStale(error));
      return answer;
    }) as typeof this.query;
  }

  /** A plan for columns that a migration has changed stays unusable in this connection. */
  private hangUpIfStale(error: unknown): void {
    if (isStalePlan(error)) streamOf(this).destroy();
  }
}

const isList = (values: unknown): boolean => Array.isArray(values) && values.length > 0;
