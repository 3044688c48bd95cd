import { idBefore, pageOf, type Page, type PageRequest } from '../../platform/pagination';
import { isId } from '../../platform/ids';

/** An SQL condition with its parameters, the first of which is $3. */
export interface Condition {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /**
   * A sub-select of the ids of all rows that may match, found by an index, where the condition
   * alone is none for an index. The condition then refers to `r.id` only.
   */
  readonly among?: string;
}

/** The number of newest rows that are searched before the index is used. */
const NEWEST = 5000;

/**
 * Reads the rows of the answer, newest first, from a statement that selects rows of the table.
 */
type Read<Row> = (rows: string, parameters: unknown[]) => Promise<Row[]>;

/**
 * Reads a page of a large table, newest first, with an optional condition. A frequent match is
 * found among the newest rows in the order of their ids. A condition that fills no page there is
 * rare, so that an index can return all of its matches. Either query alone would sometimes read
 * the whole table.
 * @param table a table, or a sub-select, whose rows are ordered by their id
 * @param condition refers to the row as `r`
 */
export async function searchPage<Row extends { id: string }>(
  read: Read<Row>,
  table: string,
  condition: Condition | undefined,
  { cursor, limit }: PageRequest,
): Promise<Page<Row>> {
  const range = [idBefore(cursor), limit + 1];
  const newest = `SELECT * FROM ${table} r WHERE r.id < $1 ORDER BY r.id DESC LIMIT`;
  if (!condition) return pageOf(await read(`${newest} $2`, range), limit);
  const { sql, parameters, among } = condition;
  const given = [...range, ...parameters];
  const frequent = await read(`SELECT * FROM (${newest} ${NEWEST}) r WHERE ${sql} ORDER BY r.id DESC LIMIT $2`, given);
  if (frequent.length > limit) return pageOf(frequent, limit);
  const rows = among ? `(${among})` : table;
  const all = `WITH found AS MATERIALIZED (SELECT r.id FROM ${rows} r WHERE ${sql} AND r.id < $1)
               SELECT t.* FROM (SELECT id FROM found ORDER BY id DESC LIMIT $2) f JOIN ${table} t USING (id)`;
  return pageOf(await read(all, given), limit);
}

/**
 * All of several conditions. Each gets the number of its first parameter.
 */
export function allOf(...conditions: ((first: number) => Condition | undefined)[]): Condition | undefined {
  return conditions.reduce<Condition | undefined>((all, next) => {
    const condition = next(3 + (all?.parameters.length ?? 0));
    if (!all || !condition) return all ?? condition;
    return {
      sql: `${all.sql} AND ${condition.sql}`,
      parameters: [...all.parameters, ...condition.parameters],
      among: condition.among ?? all.among,
    };
  }, undefined);
}

/** The condition for a row's id, if the text is an id. */
export function idSearch(text: string): Condition | undefined {
  return isId(text) ? { sql: 'r.id = $3::uuid', parameters: [text] } : undefined;
}

/** Escapes the special characters of LIKE. */
export const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&');
