import type { Client } from 'pg';
import type { SealedColumn } from './sealed-column.decorator';

/** A row with a sealed value. */
export interface SealedRow {
  /** The values of the primary key. */
  readonly key: readonly string[];
  readonly sealed: string;
}

/** A sealed value to be stored instead of another one. */
export interface Replacement extends SealedRow {
  readonly resealed: string;
}

const listOf = (columns: readonly string[], prefix = '') => columns.map((name) => `${prefix}"${name}"`).join(', ');

/**
 * The next values that are not under a key, in the order of the primary key.
 * @param after the primary key behind which to read; empty: from the beginning
 */
export async function readRowsOfOtherKeys(
  client: Client,
  { table, column, key }: SealedColumn,
  { keyId, after, limit }: { keyId: string; after: readonly string[]; limit: number },
): Promise<SealedRow[]> {
  const isAfter = `AND (${listOf(key)}) > (${after.map((_, index) => `$${index + 3}`).join(', ')})`;
  const sql = `
    SELECT ARRAY[${key.map((name) => `"${name}"::text`).join(', ')}] AS key, "${column}" AS sealed
      FROM "${table}"
     WHERE "${column}" IS NOT NULL AND split_part("${column}", '.', 2) <> $1 ${after.length > 0 ? isAfter : ''}
     ORDER BY ${listOf(key)} LIMIT $2`;
  return (await client.query<SealedRow>(sql, [keyId, limit, ...after])).rows;
}

/**
 * Stores values in rows that still have the old one. The types of the key come from the table.
 * @returns how many
 */
export async function replaceValues(
  client: Client,
  { table, column, key }: SealedColumn,
  replacements: readonly Replacement[],
): Promise<number> {
  if (replacements.length === 0) return 0;
  const sql = `
    UPDATE "${table}" t SET "${column}" = n."${column}"
      FROM jsonb_array_elements($1::jsonb) AS c (change),
           jsonb_populate_record(NULL::"${table}", c.change -> 'row') AS n
     WHERE (${listOf(key, 't.')}) = (${listOf(key, 'n.')}) AND t."${column}" = c.change ->> 'sealed'`;
  const changes = replacements.map((replacement) => ({
    row: {
      ...Object.fromEntries(key.map((name, index) => [name, replacement.key[index]])),
      [column]: replacement.resealed,
    },
    sealed: replacement.sealed,
  }));
  return (await client.query(sql, [JSON.stringify(changes)])).rowCount ?? 0;
}
