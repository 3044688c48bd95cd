import type { EntityClass } from './database-options';
import { insertedColumns, parameterOf, tableOf, type ColumnOf } from './entity-table';

/** The parts of an INSERT of one entity. */
export interface InsertParts<E> {
  /** The table with its columns: `"users" ("id", "email", …)`. */
  readonly into: string;
  /** The columns alone, for a statement that adds others: `"id", "email", …`. */
  readonly columns: string;
  /** A placeholder for each column: `$1, $2, …`. */
  readonly values: string;
  /** The parameters of an entity, in the order of the placeholders. */
  readonly parameters: (entity: E) => unknown[];
  /** The number of the first placeholder that is free. */
  readonly next: number;
}

/**
 * The parts of a statement that inserts an entity, for statements that do more than insert.
 * Repositories insert a single entity by `insert` (see EntityRepository).
 * @param first the number of the first placeholder
 * @param except columns that the statement computes itself, or leaves to their defaults
 */
export function insertOf<E extends object>(
  entity: EntityClass<E>,
  { first = 1, except = [] }: { first?: number; except?: readonly ColumnOf<E>[] } = {},
): InsertParts<E> {
  const given = insertedColumns(entity, except);
  const columns = given.map(({ name }) => name).join(', ');
  return {
    into: `${tableOf(entity).name} (${columns})`,
    columns,
    values: given.map((_, index) => `$${first + index}`).join(', '),
    parameters: (row) => given.map((column) => parameterOf(column, row)),
    next: first + given.length,
  };
}
