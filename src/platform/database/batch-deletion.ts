import type { UnitOfWork } from './unit-of-work';

/** The rows that are deleted first. The names are written into the statement. */
export interface OldRows {
  readonly table: string;
  /** The columns of the primary key. */
  readonly key: readonly string[];
  /** The column, or expression, by which rows are old; an index should serve it. */
  readonly by: string;
  /** The largest value that is deleted. */
  readonly until: Date | string;
  /** A further condition. */
  readonly where?: string;
  /** The select list of what is returned of the deleted rows, which are `d`. */
  readonly returned?: string;
}

/**
 * Deletes the rows with the smallest values of a column, for purges: the limit keeps the statement
 * short. PostgreSQL knows no DELETE with a limit. The keys pass through arrays, which the planner
 * takes for short: it then looks each row up by its key, and does not read the whole table for each
 * batch. A row that became newer since it was found, such as a retried job, is kept.
 * @returns how many were deleted
 */
export async function deleteOldest(unitOfWork: UnitOfWork, rows: OldRows, limit: number): Promise<number> {
  return (await takeOldest(unitOfWork, rows, limit)).length;
}

/** The same. @returns what is asked for of the deleted rows */
export function takeOldest<Row extends object>(
  unitOfWork: UnitOfWork,
  { table, key, by, until, where = 'true', returned = '1' }: OldRows,
  limit: number,
): Promise<Row[]> {
  const isStillOld = key.includes(by) ? 'true' : `${by} <= $1`;
  const sql = `
    WITH oldest AS (
      SELECT ${key.join(', ')} FROM ${table} WHERE ${by} <= $1 AND ${where} ORDER BY ${by} LIMIT $2
    ), keys AS (
      SELECT ${key.map((column) => `unnest(array_agg(${column})) AS ${column}`).join(', ')} FROM oldest
    )
    DELETE FROM ${table} d USING keys
     WHERE ${key.map((column) => `d.${column} = keys.${column}`).join(' AND ')} AND ${isStillOld}
    RETURNING ${returned}`;
  return unitOfWork.query<Row>(sql, [until, limit]);
}

/**
 * Deletes some of the rows `r` of a table, in no order.
 * @param where a condition with the parameters $1, $2, …
 * @returns how many were deleted
 */
export async function deleteSome(
  unitOfWork: UnitOfWork,
  table: string,
  where: string,
  parameters: readonly unknown[],
  limit: number,
): Promise<number> {
  const some = `SELECT r.ctid FROM ${table} r WHERE ${where} LIMIT $${parameters.length + 1}`;
  const sql = `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(${some})) RETURNING 1`;
  return (await unitOfWork.query(sql, [...parameters, limit])).length;
}
