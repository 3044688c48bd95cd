import type { EntityClass } from './database-options';
import { tableOf } from './entity-table';

/**
 * An entity, as an instance of its class, from a row that was selected with `columnsOf`. Further
 * columns of the row are left out.
 * @throws when the row lacks a column
 */
export function entityOf<E extends object>(entity: EntityClass<E>, row: object): E {
  const values = row as Record<string, unknown>;
  const made = new entity();
  for (const { property, isSelected } of tableOf(entity).columns) {
    if (!isSelected) continue;
    if (values[property] === undefined) throw new Error(`A row of ${entity.name} lacks ${property}`);
    (made as Record<string, unknown>)[property] = values[property];
  }
  return made;
}
