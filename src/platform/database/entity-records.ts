import type { EntityClass } from './database-options';
import { insertedColumns, tableOf, valueOf, type ColumnOf } from './entity-table';

/** The parts of a statement that stores several entities, which are one parameter: a JSON list. */
export interface RecordParts<E> {
  /** The columns: `"tenant_id", "id", …`. */
  readonly columns: string;
  /** The rows of a parameter, as a source for FROM, with the names and the types of the table. */
  readonly rowsOf: (parameter: string) => string;
  /** The parameter. */
  readonly parameter: (entities: readonly E[]) => string;
}

/**
 * The parts of a statement that stores several entities at once. The database takes the types of
 * the columns from the table.
 * @param except columns that the statement computes itself, or does not store
 */
export function recordsOf<E extends object>(
  entity: EntityClass<E>,
  { except = [] }: { except?: readonly ColumnOf<E>[] } = {},
): RecordParts<E> {
  const given = insertedColumns(entity, except);
  const recordOf = (row: object) => Object.fromEntries(given.map((column) => [column.rawName, valueOf(column, row)]));
  return {
    columns: given.map(({ name }) => name).join(', '),
    rowsOf: (parameter) => `jsonb_populate_recordset(NULL::${tableOf(entity).name}, ${parameter}::jsonb)`,
    parameter: (entities) => JSON.stringify(entities.map(recordOf)),
  };
}
