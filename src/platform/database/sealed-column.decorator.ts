import type { EntityClass } from './database-options';
import { tableOf } from './entity-table';

/** A column with sealed values. The names are those in the database. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The columns of the primary key. */
  readonly key: readonly string[];
}

const marked: { readonly owner: object; readonly property: string }[] = [];

/**
 * Marks a text column of an entity whose values are sealed by the Vault, so that
 * `npm run secrets -- rotate` finds it. A migration adds the triggers that count its values
 * (docs/add-a-module.md, A secret).
 */
export function Sealed(): PropertyDecorator {
  return (owner, property) => {
    marked.push({ owner, property: String(property) });
  };
}

/** What the values of a column are counted as in `row_counts`, by the ids of their keys. */
export const countNameOf = ({ table, column }: SealedColumn) => `${table}.${column}` as const;

/**
 * All sealed columns of these entities, in their order.
 * @throws if a marked property is not a column
 */
export function sealedColumnsOf(entities: readonly EntityClass[]): SealedColumn[] {
  return entities.flatMap((entity) => {
    const inherits = (owner: object) =>
      owner === entity.prototype || Object.prototype.isPrototypeOf.call(owner, entity.prototype as object);
    return marked.filter(({ owner }) => inherits(owner)).map(({ property }) => columnOf(entity, property));
  });
}

function columnOf(entity: EntityClass, property: string): SealedColumn {
  const { rawName, columns } = tableOf(entity);
  const column = columns.find((other) => other.property === property);
  if (!column) throw new Error(`${entity.name}.${property} is marked @Sealed() and is not a column`);
  const key = columns.filter(({ isPrimary }) => isPrimary).map((other) => other.rawName);
  return { table: rawName, column: column.rawName, key };
}
