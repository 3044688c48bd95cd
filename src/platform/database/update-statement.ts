import type { EntityClass } from './database-options';
import { parameterOf, tableOf } from './entity-table';

/** An UPDATE of one entity. */
export interface UpdateStatement<E> {
  readonly sql: string;
  readonly parameters: (entity: E) => unknown[];
}

/**
 * The statement that stores every mutable column of an entity by its key: all but the keys and
 * those declared with `update: false`.
 */
export function updateOf<E extends object>(entity: EntityClass<E>): UpdateStatement<E> {
  const { name, columns } = tableOf(entity);
  const changed = columns.filter(({ isMutable }) => isMutable);
  const key = columns.filter(({ isPrimary }) => isPrimary);
  const parameters = [...changed, ...key];
  const equations = parameters.map((column, index) => `${column.name} = $${index + 1}`);
  const [set, where] = [equations.slice(0, changed.length), equations.slice(changed.length)];
  return {
    sql: `UPDATE ${name} SET ${set.join(', ')} WHERE ${where.join(' AND ')}`,
    parameters: (row) => parameters.map((column) => parameterOf(column, row)),
  };
}
