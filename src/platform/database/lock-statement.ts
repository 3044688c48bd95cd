import type { EntityClass } from './database-options';
import { tableOf, valueOf, type ColumnOf } from './entity-table';
import { columnsOf } from './select-list';

/** Values that columns must have; null: the column is null. */
export type ColumnValues<E> = { readonly [K in ColumnOf<E>]?: E[K] };

/** How a row is locked until the transaction ends: against changes and locks, or changes only. */
export type RowLock = 'UPDATE' | 'SHARE';

/**
 * The statement that selects one entity by values of its columns and locks its row. Its text is the
 * same for the same columns, so that it can be prepared. TypeORM would build it from its metadata
 * for each call, which takes longer than PostgreSQL.
 * @throws when a value is undefined, which would match every row, or when there is none
 */
export function lockOf<E extends object>(
  entity: EntityClass<E>,
  where: ColumnValues<E>,
  lock: RowLock,
): { sql: string; parameters: unknown[] } {
  const { name, columns } = tableOf(entity);
  const given = columns.filter(({ property }) => property in where);
  if (given.length === 0) throw new Error(`No column of ${entity.name} is given`);
  const parameters: unknown[] = [];
  const conditions = given.map((column) => {
    const value = valueOf(column, where);
    return value === null ? `${column.name} IS NULL` : `${column.name} = $${parameters.push(value)}`;
  });
  const sql = `SELECT ${columnsOf(entity, name)} FROM ${name} WHERE ${conditions.join(' AND ')} LIMIT 1 FOR ${lock}`;
  return { sql, parameters };
}
