import { getMetadataArgsStorage } from 'typeorm';
import type { EntityClass } from './database-options';
import { SnakeCaseNaming } from './snake-case-naming';

/** The names of an entity's columns: its properties without its methods. */
export type ColumnOf<E> = {
  [K in keyof E]: E[K] extends (...parameters: never[]) => unknown ? never : K;
}[keyof E] &
  string;

/** A column as its decorator declares it. */
export interface EntityColumn {
  /** The name of the entity's property. */
  readonly property: string;
  /** The name in the database. */
  readonly rawName: string;
  /** The same, quoted. */
  readonly name: string;
  readonly isPrimary: boolean;
  /** Whether a saved entity may change it: neither a key nor declared with `update: false`. */
  readonly isMutable: boolean;
  /** Whether select lists have it: not declared with `select: false`. */
  readonly isSelected: boolean;
  /** Whether a new entity has it: not declared with `insert: false`. */
  readonly isInserted: boolean;
  readonly isJson: boolean;
}

/** The table of an entity. */
export interface EntityTable {
  /** The name in the database. */
  readonly rawName: string;
  /** The same, quoted. */
  readonly name: string;
  /** In the order in which the entity declares them. */
  readonly columns: readonly EntityColumn[];
}

const naming = new SnakeCaseNaming();
const tables = new Map<EntityClass, EntityTable>();

/**
 * The table of an entity, from its decorators alone, so that statements can be built while modules
 * are loaded, before there is a connection. Computed once per class.
 * @throws when the class is not an entity
 */
export function tableOf(entity: EntityClass): EntityTable {
  const known = tables.get(entity);
  if (known) return known;
  const table = readTable(entity);
  tables.set(entity, table);
  return table;
}

/**
 * The columns that a statement which inserts an entity takes from it.
 * @param except columns that the statement computes itself, or leaves to their defaults
 */
export function insertedColumns<E extends object>(
  entity: EntityClass<E>,
  except: readonly ColumnOf<E>[],
): readonly EntityColumn[] {
  const excluded = new Set<string>(except);
  return tableOf(entity).columns.filter(({ property, isInserted }) => isInserted && !excluded.has(property));
}

/** The value of a column in an entity or a row. @throws when it is undefined */
export function valueOf({ property }: EntityColumn, row: object): unknown {
  const value = (row as Record<string, unknown>)[property];
  if (value === undefined) throw new Error(`${row.constructor.name} has no value for ${property}`);
  return value;
}

/**
 * The parameter for a column. JSON is sent as text, because pg would send an array as an array of
 * PostgreSQL.
 */
export function parameterOf(column: EntityColumn, row: object): unknown {
  const value = valueOf(column, row);
  return column.isJson && value !== null ? JSON.stringify(value) : value;
}

function readTable(entity: EntityClass): EntityTable {
  const storage = getMetadataArgsStorage();
  const [declared] = storage.filterTables(entity);
  if (!declared) throw new Error(`${entity.name} is not an entity`);
  const columns = storage.filterColumns(withAncestors(entity)).map(({ propertyName, options }) => ({
    property: propertyName,
    rawName: naming.columnName(propertyName, options.name),
    name: quoted(naming.columnName(propertyName, options.name)),
    isPrimary: options.primary === true,
    isMutable: options.primary !== true && options.update !== false,
    isSelected: options.select !== false,
    isInserted: options.insert !== false,
    isJson: options.type === 'json' || options.type === 'jsonb',
  }));
  const rawName = naming.tableName(entity.name, declared.name);
  return { rawName, name: quoted(rawName), columns };
}

/** A class with the classes that it extends, the first one first: their columns are its own. */
function withAncestors(entity: EntityClass): EntityClass[] {
  const parent = Object.getPrototypeOf(entity) as EntityClass;
  return parent === Function.prototype ? [entity] : [...withAncestors(parent), entity];
}

const quoted = (name: string) => `"${name}"`;
