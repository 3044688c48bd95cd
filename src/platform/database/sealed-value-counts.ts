import type { Client } from 'pg';
import type { SealedColumn } from './sealed-column.decorator';
import { acrossTenants } from './unlimited-transaction';

/** The number of values by the ids of their keys. '' means text that has no key. */
export type SealedValueCounts = ReadonlyMap<string, number>;

/**
 * Counts the values of sealed columns by reading all of them: it decides whether a key may be
 * removed, so that the kept counts (RowCounts) are not trusted.
 */
export async function countSealedValues(client: Client, columns: readonly SealedColumn[]): Promise<SealedValueCounts> {
  const counts = new Map<string, number>();
  for (const { table, column } of columns) {
    const sql = `
      SELECT split_part("${column}", '.', 2) AS key, count(*)::int AS count
        FROM "${table}" WHERE "${column}" IS NOT NULL GROUP BY 1`;
    const { rows } = await acrossTenants(client, () => client.query<{ key: string; count: number }>(sql));
    for (const { key, count } of rows) counts.set(key, (counts.get(key) ?? 0) + count);
  }
  return counts;
}
