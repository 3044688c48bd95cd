import { BatchingClient } from './batching-client';
import { isStalePlan } from './database-errors';
import type { Statement } from './statement-batch';
import { StatementNames } from './statement-names';

/** One for all connections of the process. */
const names = new StatementNames();

/**
 * A client that sends frequent statements as prepared statements. The text of a named statement is
 * sent once for each connection; PgBouncer 1.21 and later does the same for its own connections
 * (`max_prepared_statements`).
 */
export class PreparingClient extends BatchingClient {
  protected override nameOf(text: string): string | undefined {
    return names.nameOf(text);
  }

  protected override refused({ text, name }: Statement, error: Error): void {
    if (name !== undefined && isStalePlan(error)) names.renew(text, name);
  }
}
