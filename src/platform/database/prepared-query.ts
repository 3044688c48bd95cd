import { DescribedQuery } from './described-query';
import { isParsed, parseNamed, prepareValue, type Connection, type QueryCallback } from './pg-query';
import type { ResultDescriptions } from './result-descriptions';
import type { Statement } from './statement-batch';

/** A statement with the name under which it is prepared. */
export type NamedStatement = Required<Statement>;

/** One prepared statement. It is parsed at its first execution on a connection. */
export class PreparedQuery extends DescribedQuery {
  private readonly values: readonly unknown[];

  /** @throws before anything is sent, when a parameter cannot be converted */
  constructor({ name, text, values }: NamedStatement, descriptions: ResultDescriptions, callback: QueryCallback) {
    super(text, descriptions);
    this.name = name;
    this.values = values.map((value) => prepareValue(value));
    this.callback = callback;
  }

  prepare(connection: Connection): void {
    const { name, text, values } = this;
    if (!isParsed(connection, name)) parseNamed(connection, name!, text);
    connection.bind({ portal: '', statement: name, values });
    this.describe(connection, name);
    connection.execute({ portal: '', rows: 0 });
    connection.sync();
  }
}
