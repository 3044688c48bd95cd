import { idOf, pageOf, type Page, type PageQuery } from '../../http/validation/pagination';
import { isId } from '../../platform/ids';

/** A condition in SQL with its parameters, of which the first is called $3. */
export interface Condition {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** How many of the newest rows are looked through before the index is asked. */
const NEWEST = 5000;

type Read<Row> = (sql: string, parameters: unknown[]) => Promise<Row[]>;

/**
 * A page of a large table, newest first, with a condition on it or none. What is frequent is found
 * among the newest rows, in the order of their ids; what fills no page there is rare, so that an
 * index can give all of it. Either alone would now and then read the whole table.
 * @param table its rows have the id that orders them
 * @param condition what is searched; it speaks of the row as `r`
 * @param view the statement that makes the answer's rows, r, out of those of a sub-select
 */
export async function searchPage<Row extends { id: string }>(
  read: Read<Row>,
  table: string,
  condition: Condition | undefined,
  view: (rows: string) => string,
  { cursor, limit }: PageQuery,
): Promise<Page<Row>> {
  const after = idOf(cursor);
  const from = '($1::uuid IS NULL OR r.id < $1)';
  if (!condition)
    return pageOf(
      await read(view(`SELECT * FROM ${table} r WHERE ${from} ORDER BY r.id DESC LIMIT $2`), [after, limit + 1]),
      limit,
    );
  const { sql, parameters } = condition;
  const given = [after, limit + 1, ...parameters];
  const newest = `(SELECT * FROM ${table} r WHERE ${from} ORDER BY r.id DESC LIMIT ${NEWEST})`;
  const frequent = await read(view(`SELECT * FROM ${newest} r WHERE ${sql} ORDER BY r.id DESC LIMIT $2`), given);
  if (frequent.length > limit) return pageOf(frequent, limit);
  const all = `WITH found AS MATERIALIZED (SELECT r.id FROM ${table} r WHERE ${sql} AND ${from})
               SELECT t.* FROM (SELECT id FROM found ORDER BY id DESC LIMIT $2) f JOIN ${table} t USING (id)`;
  return pageOf(await read(view(all), given), limit);
}

/** The condition that an id is meant, if what is searched is one. */
export function idSearch(text: string): Condition | undefined {
  return isId(text) ? { sql: 'r.id = $3::uuid', parameters: [text] } : undefined;
}

/** Text with nothing special in it for LIKE. */
export const literally = (text: string) => text.replace(/[\\%_]/g, '\\$&');
