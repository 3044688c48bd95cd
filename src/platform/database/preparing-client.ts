import type { ClientConfig } from 'pg';
import { BatchingClient } from './batching-client';
import { isStalePlan } from './database-errors';
import type { Statement } from './statement-batch';
import { StatementNames } from './statement-names';

/** One for all connections of the process. */
const names = new StatementNames();

type Callback = (error: unknown, ...results: unknown[]) => void;

/**
 * A client that sends frequent statements as prepared statements. pg sends the text of a named
 * statement once for each connection; PgBouncer 1.21 and later does the same for its own
 * connections (`max_prepared_statements`). Statements that are given no list of parameters, not
 * even an empty one, are sent as they are: several can be in one text.
 */
export class PreparingClient extends BatchingClient {
  constructor(config?: string | ClientConfig) {
    super(config);
    const send = this.query.bind(this) as (...parameters: unknown[]) => unknown;
    this.query = ((statement: unknown, values: unknown, callback?: Callback) => {
      const name = typeof statement === 'string' && Array.isArray(values) ? names.nameOf(statement) : undefined;
      if (name === undefined) return send(statement, values, callback);
      const renewIfStale = (error: unknown) => {
        if (error && isStalePlan(error)) names.renew(statement as string, name);
      };
      const config = { name, text: statement, values };
      if (callback) {
        return send(config, (error: unknown, ...results: unknown[]) => {
          renewIfStale(error);
          callback(error, ...results);
        });
      }
      const response = send(config) as Promise<unknown>;
      response.catch(renewIfStale);
      return response;
    }) as typeof this.query;
  }

  protected override nameOf(text: string): string | undefined {
    return names.nameOf(text);
  }

  protected override refused({ text, name }: Statement, error: Error): void {
    if (name !== undefined && isStalePlan(error)) names.renew(text, name);
  }
}
