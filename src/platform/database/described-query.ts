import { stalePlan } from './database-errors';
import { PgQuery, type Connection, type DataRow } from './pg-query';
import type { ResultDescriptions } from './result-descriptions';

/**
 * A query that knows the columns of its result if its last statement is prepared and was executed
 * before. pg requests and parses their description at every execution, which takes longer than the
 * rows of most requests.
 */
export abstract class DescribedQuery extends PgQuery {
  /** Whether PostgreSQL sends the description. */
  private isDescribed = true;

  constructor(
    text: string,
    private readonly descriptions: ResultDescriptions,
  ) {
    super(text);
  }

  requiresPreparation(): boolean {
    return true;
  }

  /** Requests the description of the bound statement, unless it is known. */
  protected describe(connection: Connection, name: string | undefined): void {
    this.isDescribed = !this.descriptions.apply(name, this._result);
    if (this.isDescribed) connection.describe({ type: 'P', name: '' });
    else this._accumulateRows = true;
  }

  /**
   * PostgreSQL refuses a statement whose columns have changed, except behind PgBouncer, which can
   * prepare it on a connection of its own that knows only the new ones. Unlike then, it was
   * executed: a write outside of a transaction must name the columns that it returns.
   */
  override handleDataRow(message: DataRow): void {
    if (message.fields.length === this._result.fields.length) super.handleDataRow(message);
    else this._canceledDueToError = stalePlan();
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.isDescribed) this.descriptions.keep(this.name, this._result);
    super.handleCommandComplete(message, connection);
  }
}
