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
}

/**
 * Deletes the rows with the smallest values of a column, for purges: the limit keeps the statement
 * short. PostgreSQL knows no DELETE with a limit.
 * @returns how many were deleted
 */
export async function deleteOldest(unitOfWork: UnitOfWork, rows: OldRows, limit: number): Promise<number> {
  const { table, by, until, where = 'true' } = rows;
  const key = rows.key.join(', ');
  const oldest = `SELECT ${key} FROM ${table} WHERE ${by} <= $1 AND ${where} ORDER BY ${by} LIMIT $2`;
  const sql = `DELETE FROM ${table} WHERE (${key}) IN (${oldest}) RETURNING ${key}`;
  return (await unitOfWork.query(sql, [until, limit])).length;
}
