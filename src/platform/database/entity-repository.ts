import type {
  FindOptionsWhere,
  InsertQueryBuilder,
  QueryDeepPartialEntity,
  Repository,
  SelectQueryBuilder,
} from 'typeorm';
import { deleteOldest } from './batch-deletion';
import type { EntityClass } from './database-options';
import { entityOf } from './entity-of';
import { recordsOf, type RecordParts } from './entity-records';
import { tableOf, type ColumnOf, type EntityColumn } from './entity-table';
import { insertOf, type InsertParts } from './insert-statement';
import { lockOf, type ColumnValues, type RowLock } from './lock-statement';
import { executeOnSome, keyOf, keysInOrder } from './ordered-locks';
import { columnsOf } from './select-list';
import type { UnitOfWork } from './unit-of-work';
import { updatesOf, type UpdateStatements } from './update-statement';

/** FOR SHARE or FOR UPDATE. */
export type LockMode = 'pessimistic_read' | 'pessimistic_write';

/** Conditions, any of which must match. */
type Where<E> = FindOptionsWhere<E> | FindOptionsWhere<E>[];

/** Builds a query with `$1`, `$2`, … in place of its parameters. */
type BuildQuery<E extends object> = (rows: Repository<E>) => Pick<SelectQueryBuilder<E>, 'getQuery'>;

/**
 * The base of repositories: one class per entity, on TypeORM's `Repository` of the running unit of
 * work (docs/decisions/0027-typeorm-and-sql.md). Its methods are protected: a repository exposes
 * those that its aggregate needs, under names that state the intent.
 */
export abstract class EntityRepository<E extends object> {
  private readonly updates: UpdateStatements<E>;
  private readonly records: RecordParts<E>;
  private readonly added: InsertParts<E>;
  /** The text of each query that was built. */
  private readonly texts = new Map<BuildQuery<E>, string>();

  protected constructor(
    private readonly entity: EntityClass<E>,
    protected readonly unitOfWork: UnitOfWork,
  ) {
    this.updates = updatesOf(entity);
    this.records = recordsOf(entity);
    this.added = insertOf(entity);
  }

  /** TypeORM's repository in the running transaction; outside of one, each call is its own. */
  protected get rows(): Repository<E> {
    return this.unitOfWork.manager.getRepository(this.entity);
  }

  /**
   * The raw rows of a query that TypeORM builds once per repository, for hot paths: building it
   * takes longer than PostgreSQL takes to execute it.
   * @param build a constant function, which is called once
   */
  protected rowsOfBuilt<Row extends object>(build: BuildQuery<E>, parameters: unknown[]): Promise<Row[]> {
    const sql = this.texts.get(build) ?? build(this.rows).getQuery();
    this.texts.set(build, sql);
    return this.unitOfWork.query<Row>(sql, parameters);
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
    const { sql, parameters } = this.updates.one;
    await this.unitOfWork.query(sql, parameters(entity));
  }

  /**
   * The same together with the next statement or COMMIT (see `UnitOfWork.write`), for changes that
   * no constraint refuses.
   */
  protected updateLater(entity: E): Promise<void> {
    const { sql, parameters } = this.updates.one;
    return this.unitOfWork.write(sql, parameters(entity));
  }

  /**
   * Inserts new entities with one statement, which is sent together with the next one or COMMIT
   * (see `UnitOfWork.write`). One entity needs no JSON.
   */
  protected insertAllLater(entities: readonly E[]): Promise<void> {
    if (entities.length === 1) {
      const { into, values, parameters } = this.added;
      return this.unitOfWork.write(`INSERT INTO ${into} VALUES (${values})`, parameters(entities[0]));
    }
    const { columns, rowsOf, parameter } = this.records;
    const sql = `INSERT INTO ${tableOf(this.entity).name} (${columns}) SELECT ${columns} FROM ${rowsOf('$1')}`;
    return this.unitOfWork.write(sql, [parameter(entities)]);
  }

  /**
   * Stores several entities that this transaction has locked, with one UPDATE, which is sent
   * together with the next statement or COMMIT (see `UnitOfWork.write`).
   * @param updates of some columns; of all mutable ones by default
   */
  protected updateAllLater(entities: readonly E[], { several } = this.updates): Promise<void> {
    return this.unitOfWork.write(several.sql, several.parameters(entities));
  }

  /**
   * The same for one entity, without JSON, of which the columns are stored that differ from its
   * state when it was locked. Call it once: what it has stored is not known to the next call.
   */
  protected async updateChangesLater(entity: E, locked: Readonly<E>, { ofChanges } = this.updates): Promise<void> {
    const update = ofChanges(locked, entity);
    if (update) await this.unitOfWork.write(update.sql, update.parameters(entity));
  }

  /** Deletes an entity. @returns false if another transaction has deleted it */
  protected async delete(entity: E): Promise<boolean> {
    return (await this.rows.delete(this.keyOf(entity))).affected === 1;
  }

  /**
   * Changes columns of the rows that match, with one conditional UPDATE: of two concurrent changes
   * that exclude each other, one finds its row.
   * @returns the entities after the change
   */
  protected async updateBy(where: Where<E>, changed: QueryDeepPartialEntity<E>): Promise<E[]> {
    const update = this.rows.createQueryBuilder().update().set(changed).where(where);
    return this.entitiesOf((await update.returning(this.returned).execute()).raw as object[]);
  }

  /**
   * Deletes the rows that match, with one DELETE: of two concurrent calls, one deletes a row.
   * @returns the deleted entities
   */
  protected async deleteBy(where: Where<E>): Promise<E[]> {
    const deletion = this.rows.createQueryBuilder().delete().where(where);
    return this.entitiesOf((await deletion.returning(this.returned).execute()).raw as object[]);
  }

  /**
   * Deletes some of the rows that match, which are locked in the order of their keys: two of these
   * statements do not wait for each other.
   * @returns how many, at most `limit`
   */
  protected deleteSome(where: Where<E>, limit: number): Promise<number> {
    return executeOnSome(this.rows, this.rows.createQueryBuilder().delete(), where, limit);
  }

  /** Changes columns of some of the rows that match, locked in the same order. @returns as above */
  protected updateSome(where: Where<E>, changed: QueryDeepPartialEntity<E>, limit: number): Promise<number> {
    return executeOnSome(this.rows, this.rows.createQueryBuilder().update().set(changed), where, limit);
  }

  /**
   * Inserts a new entity unless a row with the same key is stored, which a unique constraint
   * decides.
   * @returns whether it was inserted
   */
  protected async insertUnlessStored(entity: E): Promise<boolean> {
    return this.hasInserted(this.rows.createQueryBuilder().insert().values(entity).orIgnore());
  }

  /**
   * Inserts a new entity, or replaces the row that a unique constraint allows only once if it
   * matches a condition, with one statement: of two concurrent calls, one succeeds.
   * @param unique the columns of the constraint
   * @returns whether it was inserted
   */
  protected async insertOrReplace(entity: E, unique: readonly ColumnOf<E>[], replaceable: Where<E>): Promise<boolean> {
    const { columns } = tableOf(this.entity);
    const isUnique = ({ property }: EntityColumn) => (unique as readonly string[]).includes(property);
    const [key, replaced] = [columns.filter(isUnique), columns.filter((column) => !isUnique(column))].map((some) =>
      some.map(({ rawName }) => rawName),
    );
    const overwriteCondition = { where: replaceable };
    return this.hasInserted(
      this.rows.createQueryBuilder().insert().values(entity).orUpdate(replaced, key, { overwriteCondition }),
    );
  }

  /** One entity, which no other transaction changes or locks until this one ends (FOR UPDATE). */
  protected lockOne(where: ColumnValues<E>): Promise<E | null> {
    return this.lockRow(where, 'UPDATE');
  }

  /**
   * Locks rows in the order of their keys, which prevents deadlocks. The lock is sent together with
   * the next statement, which reads the rows, because a lock may wait for a change.
   */
  protected lockLater(where: Where<E>, mode: LockMode): Promise<void> {
    return this.unitOfWork.write(...keysInOrder(this.rows, where).setLock(mode).getQueryAndParameters());
  }

  /** One entity, which no other transaction changes until this one ends (FOR SHARE). */
  protected lockOneShared(where: ColumnValues<E>): Promise<E | null> {
    return this.lockRow(where, 'SHARE');
  }

  /**
   * Deletes the entities with the smallest values of a column (see `deleteOldest`).
   * @param until the largest value that is deleted; an index should serve the column
   * @returns how many were deleted
   */
  protected deleteUpTo(column: ColumnOf<E>, until: Date, limit: number): Promise<number> {
    const { name: table, columns } = tableOf(this.entity);
    const key = keyOf(this.entity).map(({ name }) => name);
    const by = columns.find(({ property }) => property === column)!.name;
    return deleteOldest(this.unitOfWork, { table, key, by, until }, limit);
  }

  private async lockRow(where: ColumnValues<E>, lock: RowLock): Promise<E | null> {
    const { sql, parameters } = lockOf(this.entity, where, lock);
    const [row] = await this.unitOfWork.query(sql, parameters);
    return row ? entityOf(this.entity, row) : null;
  }

  private async hasInserted(insertion: InsertQueryBuilder<E>): Promise<boolean> {
    const key = keyOf(this.entity).map(({ name }) => name);
    return ((await insertion.updateEntity(false).returning(key.join(', ')).execute()).raw as object[]).length === 1;
  }

  private get returned(): string {
    return columnsOf(this.entity, tableOf(this.entity).name);
  }

  private entitiesOf(rows: readonly object[]): E[] {
    return rows.map((row) => entityOf(this.entity, row));
  }

  private keyOf(entity: E): FindOptionsWhere<E> {
    return valuesOf(entity, ({ isPrimary }) => isPrimary) as FindOptionsWhere<E>;
  }
}

function valuesOf(entity: object, isMeant: (column: EntityColumn) => boolean): Record<string, unknown> {
  const meant = tableOf(entity.constructor as EntityClass).columns.filter(isMeant);
  return Object.fromEntries(meant.map(({ property }) => [property, (entity as Record<string, unknown>)[property]]));
}
