import { Injectable } from '@nestjs/common';
import type { FindOptionsOrder, FindOptionsWhere, SelectQueryBuilder } from 'typeorm';
import { idAfter, idBefore, pageOf, type Page, type PageRequest } from '../pagination';
import { Database } from './database';
import type { EntityClass } from './database-options';
import { entityOf } from './entity-of';
import { tableOf, type ColumnOf } from './entity-table';
import type { Scope } from './tenant-scope';

/** Which rows of an entity are meant. */
export interface Rows<E extends object> {
  /** TypeORM's conditions. A value that is null or undefined is refused; see `withoutUndefined`. */
  readonly where: FindOptionsWhere<E>;
  /** The scope for a table with row-level security; absent: the table has none. */
  readonly scope?: Scope;
  /** Reads the primary, for a response that must show the latest writes. */
  readonly isFresh?: boolean;
}

/** A value that PostgreSQL computes for a row; see `computed`. */
export interface ComputedValue<T> {
  readonly expression: string | SubQuery;
  /** Never set: the type of the value. */
  readonly type?: T;
}

type SubQuery = (query: SelectQueryBuilder<object>) => SelectQueryBuilder<object>;

/** The computed values by the names of their fields. */
export type ComputedValues = Readonly<Record<string, ComputedValue<unknown>>>;

/** The same with the columns that are read: the fields of a view. */
export interface Fields<E extends object, K extends ColumnOf<E>, C extends ComputedValues> extends Rows<E> {
  readonly select: readonly K[];
  readonly computed?: C;
}

/** The same in an order, of which an index should return the first rows. */
export interface OrderedFields<E extends object, K extends ColumnOf<E>, C extends ComputedValues> extends Fields<
  E,
  K,
  C
> {
  readonly order: FindOptionsOrder<E>;
  /** Most rows. */
  readonly limit: number;
}

/** The columns of a page, which include the id: cursors are made of it. */
type PageFields<E extends object, K extends ColumnOf<E>, C extends ComputedValues> = Fields<E, K, C> & {
  /** The order of the ids: oldest first, instead of newest first. */
  readonly isAscending?: boolean;
} & ('id' extends K ? unknown : never);

/** A row as it is read. */
type Row<E, K extends keyof E, C extends ComputedValues> = Pick<E, K> & {
  readonly [F in keyof C]: C[F] extends ComputedValue<infer T> ? T : never;
};

/** The type of `computed` where it is absent. */
type NothingComputed = Record<never, never>;

/** The alias of the entity's table, to which expressions refer. */
const ROW = 'r';

/**
 * Reads columns of one entity for a view (docs/decisions/0027-typeorm-and-sql.md). TypeORM writes
 * the statement; `Database` sends it together with its scope, and makes no entity of a row.
 */
@Injectable()
export class EntityReader {
  constructor(private readonly database: Database) {}

  /** One row; undefined if none matches. */
  async findOne<E extends object, K extends ColumnOf<E>, C extends ComputedValues = NothingComputed>(
    entity: EntityClass<E>,
    rows: Fields<E, K, C>,
  ): Promise<Row<E, K, C> | undefined> {
    return (await this.send<Row<E, K, C>>(rows, this.select(entity, rows)))[0];
  }

  /** One row as an entity, for the rules that it holds; undefined if none matches. */
  async findEntity<E extends object>(entity: EntityClass<E>, rows: Rows<E>): Promise<E | undefined> {
    const columns = tableOf(entity).columns.filter(({ isSelected }) => isSelected);
    const select = columns.map(({ property }) => property as ColumnOf<E>);
    const row = await this.findOne(entity, { ...rows, select });
    return row && entityOf(entity, row);
  }

  /** The first rows in an order. */
  async find<E extends object, K extends ColumnOf<E>, C extends ComputedValues = NothingComputed>(
    entity: EntityClass<E>,
    rows: OrderedFields<E, K, C>,
  ): Promise<Row<E, K, C>[]> {
    return this.send(rows, this.select(entity, rows), rows.limit);
  }

  /** A page of rows in the order of their ids, newest first unless it is ascending. */
  async findPage<E extends { readonly id: string }, K extends ColumnOf<E>, C extends ComputedValues = NothingComputed>(
    entity: EntityClass<E>,
    rows: PageFields<E, K, C>,
    { cursor, limit }: PageRequest,
  ): Promise<Page<Row<E, K, C>>> {
    const query = this.select(entity, rows);
    if (rows.isAscending) query.andWhere(`${ROW}.id > :from`, { from: idAfter(cursor) }).orderBy(`${ROW}.id`, 'ASC');
    else query.andWhere(`${ROW}.id < :from`, { from: idBefore(cursor) }).orderBy(`${ROW}.id`, 'DESC');
    return pageOf(await this.send<Row<E, K, C> & { readonly id: string }>(rows, query, limit + 1), limit);
  }

  /** The number of rows. */
  async count<E extends object>(entity: EntityClass<E>, rows: Rows<E>): Promise<number> {
    const query = this.query(entity, rows).select('count(*)::int', 'count');
    return (await this.send<{ count: number }>(rows, query))[0].count;
  }

  private query<E extends object>(
    entity: EntityClass<E>,
    { where, order }: { where: FindOptionsWhere<E>; order?: FindOptionsOrder<E> },
  ): SelectQueryBuilder<E> {
    return this.database.manager.createQueryBuilder(entity, ROW).setFindOptions({ where, order });
  }

  private select<E extends object, K extends ColumnOf<E>, C extends ComputedValues>(
    entity: EntityClass<E>,
    rows: Fields<E, K, C> & { readonly order?: FindOptionsOrder<E> },
  ): SelectQueryBuilder<E> {
    const query = this.query(entity, rows).select([]);
    for (const column of rows.select) query.addSelect(`${ROW}.${column}`, column);
    for (const [name, { expression }] of Object.entries(rows.computed ?? {}))
      query.addSelect(expression as string, name);
    return query;
  }

  /** The limit is a parameter, so that a statement has one text for all limits. */
  private send<R extends object>(
    { scope, isFresh }: Pick<Rows<object>, 'scope' | 'isFresh'>,
    query: SelectQueryBuilder<object>,
    limit?: number,
  ): Promise<R[]> {
    const [text, values] = query.getQueryAndParameters() as [string, unknown[]];
    const sql = limit === undefined ? text : `${text} LIMIT $${values.length + 1}`;
    const parameters = limit === undefined ? values : [...values, limit];
    const { database } = this;
    if (isFresh) return scope ? database.queryInTenant(scope, sql, parameters) : database.query(sql, parameters);
    return scope ? database.readInTenant(scope, sql, parameters) : database.read(sql, parameters);
  }
}

/**
 * A value that PostgreSQL computes for each row `r`.
 * @param expression names columns by their properties, or is a sub-query that returns one value
 * @example computed<boolean>('r.passwordHash IS NOT NULL')
 */
export const computed = <T>(expression: string | SubQuery): ComputedValue<T> => ({ expression });

/** The conditions without those that are undefined, for filters that may be absent. */
export const withoutUndefined = <Where extends object>(
  conditions: Where,
): { [K in keyof Where]?: Exclude<Where[K], undefined> } =>
  Object.fromEntries(Object.entries(conditions).filter(([, value]) => value !== undefined)) as object;
