import type { EntityClass } from './database-options';
import { recordsOf } from './entity-records';
import { parameterOf, tableOf, type ColumnOf, type EntityColumn } from './entity-table';

/** An UPDATE of what it takes: one entity, or several. */
export interface UpdateStatement<E> {
  readonly sql: string;
  readonly parameters: (updated: E) => unknown[];
}

/** The statements that store one or several entities by their keys. */
export interface UpdateStatements<E> {
  readonly one: UpdateStatement<E>;
  /** The entities are one parameter, a JSON list. */
  readonly several: UpdateStatement<readonly E[]>;
}

/**
 * The statements that store the mutable columns of entities: all but the keys and those declared
 * with `update: false`.
 * @param except columns that have statements of their own
 */
export function updatesOf<E extends object>(
  entity: EntityClass<E>,
  { except = [] }: { except?: readonly ColumnOf<E>[] } = {},
): UpdateStatements<E> {
  const { columns } = tableOf(entity);
  const excluded = new Set<string>(except);
  const changed = columns.filter(({ isMutable, property }) => isMutable && !excluded.has(property));
  const key = columns.filter(({ isPrimary }) => isPrimary);
  return { one: updateOfOne(entity, changed, key), several: updateOfSeveral(entity, changed, key, except) };
}

function updateOfOne<E extends object>(
  entity: EntityClass<E>,
  changed: readonly EntityColumn[],
  key: readonly EntityColumn[],
): UpdateStatement<E> {
  const parameters = [...changed, ...key];
  const equations = parameters.map((column, index) => `${column.name} = $${index + 1}`);
  const [set, where] = [equations.slice(0, changed.length), equations.slice(changed.length)];
  return {
    sql: `UPDATE ${tableOf(entity).name} SET ${set.join(', ')} WHERE ${where.join(' AND ')}`,
    parameters: (row) => parameters.map((column) => parameterOf(column, row)),
  };
}

function updateOfSeveral<E extends object>(
  entity: EntityClass<E>,
  changed: readonly EntityColumn[],
  key: readonly EntityColumn[],
  except: readonly ColumnOf<E>[],
): UpdateStatement<readonly E[]> {
  const { rowsOf, parameter } = recordsOf(entity, { except });
  const set = changed.flatMap(({ name, isInserted }) => (isInserted ? [`${name} = g.${name}`] : []));
  const where = key.map(({ name }) => `r.${name} = g.${name}`);
  const source = `FROM ${rowsOf('$1')} g WHERE ${where.join(' AND ')}`;
  return {
    sql: `UPDATE ${tableOf(entity).name} r SET ${set.join(', ')} ${source}`,
    parameters: (rows) => [parameter(rows)],
  };
}
