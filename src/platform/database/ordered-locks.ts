import type { DeleteQueryBuilder, FindOptionsWhere, Repository, SelectQueryBuilder, UpdateQueryBuilder } from 'typeorm';
import type { EntityClass } from './database-options';
import { tableOf } from './entity-table';

type Where<E> = FindOptionsWhere<E> | FindOptionsWhere<E>[];

/** The columns of an entity's primary key, in the order in which several rows are locked. */
export const keyOf = (entity: EntityClass) => tableOf(entity).columns.filter(({ isPrimary }) => isPrimary);

/** The keys of the rows `r` that match, in their order. */
export function keysInOrder<E extends object>(rows: Repository<E>, where: Where<E>): SelectQueryBuilder<E> {
  const key = propertiesOf(rows, 'r');
  const order = Object.fromEntries(key.map((property) => [property, 'ASC' as const]));
  return rows.createQueryBuilder('r').select(key).where(where).orderBy(order);
}

/**
 * Changes or deletes some of the rows that match, with one statement that locks them in the order
 * of their keys. They are found first, by whichever index serves the condition: an ordered search
 * with a limit might read the whole key instead. A row that no longer matches when it is locked is
 * left out.
 * @param change an UPDATE or DELETE without a condition
 * @returns how many, at most `limit`
 */
export async function executeOnSome<E extends object>(
  rows: Repository<E>,
  change: DeleteQueryBuilder<E> | UpdateQueryBuilder<E>,
  where: Where<E>,
  limit: number,
): Promise<number> {
  const key = keyOf(rows.target as EntityClass);
  const names = key.map(({ name }) => name).join(', ');
  const found = rows.createQueryBuilder('f').select(propertiesOf(rows, 'f')).where(where).limit(limit);
  const locked = keysInOrder(rows, where).setLock('pessimistic_write');
  locked.andWhere(`(${propertiesOf(rows, 'r').join(', ')}) IN (${found.getQuery()})`, found.getParameters());
  change.addCommonTableExpression(locked, 'locked', { columnNames: key.map(({ rawName }) => rawName) });
  return (await change.where(`(${names}) IN (SELECT ${names} FROM locked)`).execute()).affected!;
}

const propertiesOf = <E extends object>(rows: Repository<E>, alias: string) =>
  keyOf(rows.target as EntityClass).map(({ property }) => `${alias}.${property}`);
