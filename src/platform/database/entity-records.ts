import type { EntityClass } from './database-options';
import { tableOf, type ColumnOf } from './entity-table';

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
  const table = tableOf(entity);
  const given = table.columns.filter(
    ({ property, isInserted }) => isInserted && !(except as readonly string[]).includes(property),
  );
  const columns = given.map(({ name }) => name).join(', ');
  const recordOf = (row: object) =>
    Object.fromEntries(
      given.map(({ property, name }) => {
        const value = (row as Record<string, unknown>)[property];
        if (value === undefined) throw new Error(`${entity.name} has no value for ${property}`);
        return [name.slice(1, -1), value];
      }),
    );
  return {
    columns,
    rowsOf: (parameter) => `jsonb_populate_recordset(NULL::${table.name}, ${parameter}::jsonb)`,
    parameter: (entities) => JSON.stringify(entities.map(recordOf)),
  };
}
