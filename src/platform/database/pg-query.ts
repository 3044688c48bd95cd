import { Query, type QueryResult } from 'pg';
// @ts-expect-error: pg has no types for it
import { prepareValue as untypedPrepareValue } from 'pg/lib/utils';
import type { InternalResult } from './result-descriptions';

/** The text, or the bytes, that pg sends for a parameter; null for NULL. */
export const prepareValue = untypedPrepareValue as (value: unknown) => string | Buffer | null;

/** What pg's types do not show of a connection. */
export interface Connection {
  /** The texts of named statements that the server has parsed, or is about to. */
  readonly parsedStatements: Record<string, string | undefined>;
  readonly submittedNamedStatements: Record<string, string | undefined>;
  parse(statement: { text: string; name?: string }): void;
  close(statement: { type: 'S'; name: string }): void;
  bind(portal: { portal: string; statement?: string; values: readonly unknown[] }): void;
  describe(portal: { type: 'P'; name: string }): void;
  execute(portal: { portal: string; rows: number }): void;
  sync(): void;
}

export interface DataRow {
  readonly fields: readonly (string | null)[];
}

/** What pg's types do not show of a query. The connection reads name and text. */
interface InternalQuery {
  name?: string;
  text: string;
  /** ClientWithTimeout replaces it by one that ends the deadline. */
  callback?: unknown;
  readonly _result: InternalResult;
  /** Otherwise rows are only emitted as events. pg sets it when the result is described. */
  _accumulateRows?: unknown;
  /** Rejects the query once its result is complete. */
  _canceledDueToError: Error | false;
  handleDataRow(message: DataRow): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
}

/** Receives the result of a query, or its error. */
export type QueryCallback = (error: Error | null, result: QueryResult) => void;

/** pg's own query, from a text: it copies other configurations property by property. */
export const PgQuery = Query as unknown as new (text: string) => InternalQuery;

/** Whether the server has parsed a named statement, or is about to. */
export const isParsed = ({ parsedStatements, submittedNamedStatements }: Connection, name: string | undefined) =>
  name !== undefined && (parsedStatements[name] ?? submittedNamedStatements[name]) !== undefined;

/** The names under which statements were sent, whether or not PostgreSQL has refused them. */
const namesSent = new WeakMap<Connection, Set<string>>();

/**
 * Has the server parse a statement under a name.
 *
 * PgBouncer identifies a statement by its text, so the text contains the name: otherwise a
 * statement with another name, because its plan could no longer be used, would be the one that
 * PgBouncer has prepared before. It also keeps a name whose statement PostgreSQL has refused, and
 * closes a connection that uses the name again, so the name is closed first.
 */
export function parseNamed(connection: Connection, name: string, text: string): void {
  const names = namesSent.get(connection) ?? new Set();
  namesSent.set(connection, names);
  if (names.has(name)) connection.close({ type: 'S', name });
  names.add(name);
  connection.parse({ text: `${text} /* ${name} */`, name });
  connection.submittedNamedStatements[name] = text;
}
