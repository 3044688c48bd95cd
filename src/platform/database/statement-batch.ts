import type { QueryResult } from 'pg';
import { DescribedQuery } from './described-query';
import { isParsed, parseNamed, PgQuery, prepareValue, type Connection, type DataRow } from './pg-query';
import type { ResultDescriptions } from './result-descriptions';

/** A statement with its parameters. With a name it is prepared: parsed once for each connection. */
export interface Statement {
  readonly text: string;
  readonly name?: string;
  readonly values?: readonly unknown[];
}

/** The results of a batch. */
export interface BatchResult<Row extends object> {
  /** The result of the last statement. */
  readonly result: QueryResult<Row>;
  /** The last row of the statements before it, as text; undefined if none returned a row. */
  readonly earlierRow?: readonly (string | null)[];
}

/**
 * Several statements with one Sync (PostgreSQL documentation, "Pipelining"): they are sent in one
 * packet and answered in one, and PostgreSQL skips those behind one that it refuses. Outside of a
 * transaction they are one transaction. The result is that of the last statement.
 *
 * pg has no such query. This one is to pg a single query, whose name and text are those of the
 * statement that PostgreSQL executes. It uses prepared statements and prepares none: PgBouncer
 * takes those behind a refused one for prepared, and closes a connection that prepares them again.
 */
export class StatementBatch<Row extends object> extends DescribedQuery {
  private readonly values: readonly unknown[][];
  /** As they are sent: only those that the server has parsed before have a name. */
  private sent: readonly Statement[] = [];
  private current = 0;
  private earlierRow?: readonly (string | null)[];

  /**
   * @param settle receives the result, or the error with the statement that was refused
   * @throws before anything is sent, when a parameter cannot be converted
   */
  constructor(
    readonly statements: readonly Statement[],
    descriptions: ResultDescriptions,
    settle: (outcome: BatchResult<Row> | Error, refused: Statement) => void,
  ) {
    super(statements[0].text, descriptions);
    this.values = statements.map(({ values = [] }) => values.map((value) => prepareValue(value)));
    this.callback = (error: Error | null, result: QueryResult<Row>) =>
      settle(error ?? { result, earlierRow: this.earlierRow }, statements[this.current]);
  }

  prepare(connection: Connection): void {
    this.sent = this.statements.map((statement) =>
      isParsed(connection, statement.name) ? statement : { ...statement, name: undefined },
    );
    for (const [index, { text, name }] of this.sent.entries()) {
      if (name === undefined) connection.parse({ text });
      connection.bind({ portal: '', statement: name, values: this.values[index] });
      if (index === this.sent.length - 1) this.describe(connection, name);
      connection.execute({ portal: '', rows: 0 });
    }
    connection.sync();
    this.name = this.sent[0].name;
  }

  override handleDataRow(message: DataRow): void {
    if (this.isLast) super.handleDataRow(message);
    else this.earlierRow = message.fields;
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.isLast) {
      super.handleCommandComplete(message, connection);
      return;
    }
    const { name, text } = this.sent[++this.current];
    Object.assign(this, { name, text });
  }

  /** The statements with a name that were sent without it. */
  get unprepared(): readonly Statement[] {
    return this.statements.filter(({ name }, index) => name !== this.sent[index].name);
  }

  private get isLast(): boolean {
    return this.current === this.statements.length - 1;
  }
}

/**
 * Prepares a statement: from then on it has a name in batches. Outside of a transaction, which a
 * refusal would abort.
 */
export class StatementPreparation extends PgQuery {
  constructor({ name, text }: Statement) {
    super(text);
    this.name = name;
    this.callback = () => undefined; // if it is refused, the statement is sent without a name
  }

  requiresPreparation(): boolean {
    return true;
  }

  prepare(connection: Connection): void {
    if (this.name !== undefined && !isParsed(connection, this.name)) parseNamed(connection, this.name, this.text);
    connection.sync();
  }
}
