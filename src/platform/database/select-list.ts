import type { EntityClass } from './database-options';
import { tableOf, type ColumnOf, type EntityColumn } from './entity-table';

/** The columns that a list names: all, only some, or all but some. */
export type ColumnChoice<K extends string> = { readonly only: readonly K[] } | { readonly except: readonly K[] };

/**
 * The select list of an entity's columns, each under the name of its property:
 * `u."id" AS "id", u."password_hash" AS "passwordHash", …`.
 * @param alias the alias of the table in the statement
 * @param choice the columns; absent: all
 * @throws when a chosen name is not a column
 */
export const columnsOf = <E extends object>(
  entity: EntityClass<E>,
  alias: string,
  choice?: ColumnChoice<ColumnOf<E>>,
): string => selectList(expressionsOf(alias, chosenColumns(entity, choice)));

/**
 * The expressions of an entity's columns by the names of their properties, to be spread into
 * `select`: `{ id: 'u."id"', passwordHash: 'u."password_hash"' }`.
 * @throws when a name is not a column
 */
export const columns = <E extends object, K extends ColumnOf<E>>(
  entity: EntityClass<E>,
  alias: string,
  only: readonly K[],
): Record<K, string> => expressionsOf(alias, chosenColumns(entity, { only })) as Record<K, string>;

/**
 * The select list of a view. It takes one SQL expression for each field of the view: a missing or
 * an additional one does not compile.
 * @example select<NameView>()({ id: 'u.id', name: "coalesce(u.name, '')" })
 */
export const select =
  <View extends object>() =>
  (expressions: { readonly [K in keyof View]-?: string }): string =>
    selectList(expressions);

declare const IS_TIME: unique symbol;
/** An SQL expression of a time as JSON has it. */
export type TimeText = string & { readonly [IS_TIME]: true };

/** A time as JSON has it: ISO 8601 in UTC, with milliseconds (docs/contract.md, Conventions). */
export const isoTime = (expression: string): TimeText =>
  `to_char(${expression} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` as TimeText;

/**
 * The same list as one JSON text, which the service passes on as it is. PostgreSQL would write a
 * time in its own way, so that one that is not written by `isoTime` does not compile.
 */
export const selectJson =
  <View extends object>() =>
  (expressions: { readonly [K in keyof View]-?: Date extends View[K] ? TimeText : string }): string =>
    `row_to_json((SELECT json_fields FROM (SELECT ${selectList(expressions)}) json_fields))::text`;

/** The columns that are chosen, in the order of their declaration. */
function chosenColumns<E extends object>(
  entity: EntityClass<E>,
  choice?: ColumnChoice<ColumnOf<E>>,
): readonly EntityColumn[] {
  const all = tableOf(entity).columns.filter(({ isSelected }) => isSelected);
  if (!choice) return all;
  const named = new Set<string>('only' in choice ? choice.only : choice.except);
  const unknown = [...named].filter((name) => !all.some(({ property }) => property === name));
  if (unknown.length > 0) throw new Error(`${entity.name} has no column ${unknown.join(', ')}`);
  return all.filter(({ property }) => named.has(property) === 'only' in choice);
}

const expressionsOf = (alias: string, chosen: readonly EntityColumn[]) =>
  Object.fromEntries(chosen.map(({ property, name }) => [property, `${alias}.${name}`]));

const selectList = (expressions: Readonly<Record<string, string>>) =>
  Object.entries(expressions)
    .map(([name, expression]) => `${expression} AS "${name}"`)
    .join(', ');
