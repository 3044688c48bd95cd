import { Injectable } from '@nestjs/common';
import type { FindOptionsOrder, FindOptionsWhere, SelectQueryBuilder } from 'typeorm';
import { idOf, pageOf, type Page, type PageRequest } from '../pagination';
import { Database } from './database';
import type { EntityClass } from './database-options';
import type { ColumnOf } from './entity-table';
import type { Scope } from './tenant-scope';

/** Which rows of an entity are meant. */
export interface Rows<E extends object> {
  /** TypeORM's conditions. A value that is null or undefined is refused; see `given`. */
  readonly where: FindOptionsWhere<E>;
  /** The scope for a table with row-level security; absent: the table has none. */
  readonly scope?: Scope;
  /** Reads the primary, for an answer that must show the latest writes. */
  readonly isFresh?: boolean;
}

/** The same with the columns that are read: the fields of a view. */
export interface Fields<E extends object, K extends ColumnOf<E>> extends Rows<E> {
  readonly select: readonly K[];
}

/** The same in an order, of which an index should return the first rows. */
export interface OrderedFields<E extends object, K extends ColumnOf<E>> extends Fields<E, K> {
  readonly order: FindOptionsOrder<E>;
  /** Most rows. */
  readonly limit: number;
}

/** The columns of a page, which include the id: cursors are made of it. */
type PageFields<E extends object, K extends ColumnOf<E>> = Fields<E, K> & ('id' extends K ? unknown : never);

/** The alias of the entity's table. */
const ROW = 'r';

/**
 * Reads columns of one entity for a view (docs/decisions/0027-typeorm-and-sql.md). TypeORM writes
 * the statement; `Database` sends it together with its scope, and makes no entity of a row.
 */
@Injectable()
export class EntityReader {
  constructor(private readonly database: Database) {}

  /** One row; undefined if none matches. */
  async findOne<E extends object, K extends ColumnOf<E>>(
    entity: EntityClass<E>,
    rows: Fields<E, K>,
  ): Promise<Pick<E, K> | undefined> {
    return (await this.send<Pick<E, K>>(rows, this.select(entity, rows)))[0];
  }

  /** The first rows in an order. */
  async find<E extends object, K extends ColumnOf<E>>(
    entity: EntityClass<E>,
    rows: OrderedFields<E, K>,
  ): Promise<Pick<E, K>[]> {
    return this.send(rows, this.select(entity, rows), rows.limit);
  }

  /** A page of rows, newest first: by id, descending. */
  async findPage<E extends { readonly id: string }, K extends ColumnOf<E>>(
    entity: EntityClass<E>,
    rows: PageFields<E, K>,
    { cursor, limit }: PageRequest,
  ): Promise<Page<Pick<E, K>>> {
    const query = this.select(entity, rows).orderBy(`${ROW}.id`, 'DESC');
    const after = idOf(cursor);
    if (after) query.andWhere(`${ROW}.id < :after`, { after });
    return pageOf(await this.send<Pick<E, K> & { readonly id: string }>(rows, query, limit + 1), limit);
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

  private select<E extends object, K extends ColumnOf<E>>(
    entity: EntityClass<E>,
    rows: Fields<E, K> & { readonly order?: FindOptionsOrder<E> },
  ): SelectQueryBuilder<E> {
    const query = this.query(entity, rows).select([]);
    for (const column of rows.select) query.addSelect(`${ROW}.${column}`, column);
    return query;
  }

  /** The limit is a parameter, so that a statement has one text for all limits. */
  private send<Row extends object>(
    { scope, isFresh }: Pick<Rows<object>, 'scope' | 'isFresh'>,
    query: SelectQueryBuilder<object>,
    limit?: number,
  ): Promise<Row[]> {
    const [text, values] = query.getQueryAndParameters() as [string, unknown[]];
    const sql = limit === undefined ? text : `${text} LIMIT $${values.length + 1}`;
    const parameters = limit === undefined ? values : [...values, limit];
    const { database } = this;
    if (isFresh) return scope ? database.queryInTenant(scope, sql, parameters) : database.query(sql, parameters);
    return scope ? database.readInTenant(scope, sql, parameters) : database.read(sql, parameters);
  }
}

/** The conditions without those that are undefined, for filters that may be absent. */
export const withoutUndefined = <Where extends object>(
  conditions: Where,
): { [K in keyof Where]?: Exclude<Where[K], undefined> } =>
  Object.fromEntries(Object.entries(conditions).filter(([, value]) => value !== undefined)) as object;
