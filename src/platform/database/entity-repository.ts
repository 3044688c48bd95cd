import type { FindOptionsWhere, QueryDeepPartialEntity, Repository } from 'typeorm';
import type { EntityClass } from './database-options';
import { tableOf, type ColumnOf, type EntityColumn } from './entity-table';
import type { UnitOfWork } from './unit-of-work';

/**
 * The base of repositories: one class per entity, on TypeORM's `Repository` of the running unit of
 * work (docs/decisions/0027-typeorm-and-sql.md). What it offers is protected: a repository makes
 * public what its aggregate needs, under names that say the intent.
 */
export abstract class EntityRepository<E extends object> {
  protected constructor(
    private readonly entity: EntityClass<E>,
    protected readonly unitOfWork: UnitOfWork,
  ) {}

  /** TypeORM's repository in the running transaction; outside of one, each call is its own. */
  protected get rows(): Repository<E> {
    return this.unitOfWork.manager.getRepository(this.entity);
  }

  /** Inserts a new entity. @throws when a constraint refuses it; see `unlessViolated` */
  protected async insert(entity: E): Promise<void> {
    await this.rows.insert(entity);
  }

  /**
   * Stores every mutable column of an entity that this transaction has locked, with one UPDATE: all
   * but the keys and those declared with `update: false`.
   */
  protected async update(entity: E): Promise<void> {
    const changed = valuesOf(entity, ({ isMutable }) => isMutable);
    await this.rows.update(this.keyOf(entity), changed as QueryDeepPartialEntity<E>);
  }

  /** Deletes an entity. @returns false if another transaction has deleted it */
  protected async delete(entity: E): Promise<boolean> {
    return (await this.rows.delete(this.keyOf(entity))).affected === 1;
  }

  /** One entity, locked against changes by others until the transaction ends. */
  protected lockOne(where: FindOptionsWhere<E>): Promise<E | null> {
    return this.rows.findOne({ where, lock: { mode: 'pessimistic_write' } });
  }

  /**
   * Deletes the entities with the smallest values of a column, for purges: the limit keeps the
   * statement short. PostgreSQL knows no DELETE with a limit, and neither does TypeORM.
   * @param until the largest value that is deleted; an index should serve the column
   * @returns how many were deleted
   */
  protected async deleteUpTo(column: ColumnOf<E>, until: Date, limit: number): Promise<number> {
    const { name, columns } = tableOf(this.entity);
    const key = columns.flatMap((each) => (each.isPrimary ? [each.name] : [])).join(', ');
    const by = columns.find(({ property }) => property === column)!.name;
    const oldest = `SELECT ${key} FROM ${name} WHERE ${by} <= $1 ORDER BY ${by} LIMIT $2`;
    const sql = `DELETE FROM ${name} WHERE (${key}) IN (${oldest}) RETURNING ${key}`;
    return (await this.unitOfWork.query(sql, [until, limit])).length;
  }

  private keyOf(entity: E): FindOptionsWhere<E> {
    return valuesOf(entity, ({ isPrimary }) => isPrimary) as FindOptionsWhere<E>;
  }
}

function valuesOf(entity: object, isMeant: (column: EntityColumn) => boolean): Record<string, unknown> {
  const meant = tableOf(entity.constructor as EntityClass).columns.filter(isMeant);
  return Object.fromEntries(meant.map(({ property }) => [property, (entity as Record<string, unknown>)[property]]));
}
