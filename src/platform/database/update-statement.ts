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
  /**
   * Of the columns in which an entity differs from a copy of its stored state; undefined if in
   * none. A list that was changed in place is the same one.
   */
  readonly ofChanges: (stored: Readonly<E>, changed: E) => UpdateStatement<E> | undefined;
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
  return {
    one: updateOfOne(entity, changed, key),
    several: updateOfSeveral(entity, changed, key, except),
    ofChanges: updatesOfChanges(entity, changed, key),
  };
}

/** There are as many statements as sets of columns that change together, which are few. */
function updatesOfChanges<E extends object>(
  entity: EntityClass<E>,
  columns: readonly EntityColumn[],
  key: readonly EntityColumn[],
): UpdateStatements<E>['ofChanges'] {
  const statements = new Map<string, UpdateStatement<E>>();
  return (stored, changed) => {
    const differing = columns.filter((column) => comparable(column, stored) !== comparable(column, changed));
    if (differing.length === 0) return undefined;
    const names = differing.map(({ name }) => name).join();
    const known = statements.get(names) ?? updateOfOne(entity, differing, key);
    statements.set(names, known);
    return known;
  };
}

/** The value of a column. Equal ones are identical, except for arrays and bytes. */
function comparable(column: EntityColumn, row: object): unknown {
  const value = parameterOf(column, row);
  return value instanceof Date ? value.getTime() : value;
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
