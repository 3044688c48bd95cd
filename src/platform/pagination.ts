import { bytesOfId, idOfBytes } from './ids';

/** Which page of a list is asked for. */
export interface PageRequest {
  /** Most items, 1 to 100. */
  readonly limit: number;
  /** `nextCursor` of the previous page; undefined for the first. */
  readonly cursor?: string;
}

/** A page of a list; `nextCursor` is null on the last page. */
export interface Page<T> {
  readonly items: T[];
  readonly nextCursor: string | null;
}

/**
 * Builds a page from rows ordered by id, newest first. Ids are UUID version 7 and grow with time,
 * so the cursor is the last id: rows added meanwhile neither shift nor repeat others.
 * @param rows up to limit + 1 rows, selected with `id < afterId`
 */
export function pageOf<T extends { id: string }>(rows: T[], limit: number): Page<T> {
  const items = rows.slice(0, limit);
  return { items, nextCursor: rows.length > limit ? cursorOf(items[items.length - 1].id) : null };
}

/** The id in a cursor, or null for the first page. */
export function idOf(cursor: string | undefined): string | null {
  return cursor ? idOfBytes(Buffer.from(cursor, 'base64url')) : null;
}

/**
 * The id after which a page in ascending order begins; for the first page, one that is smaller than
 * all. The index serves `id > $1` in a prepared statement, too; `$1 IS NULL OR id > $1` would read
 * all earlier pages once PostgreSQL uses one plan for all parameters.
 */
export const idAfter = (cursor: string | undefined): string => idOf(cursor) ?? SMALLEST_ID;

/** The id before which a page in descending order begins; for the first page, the largest one. */
export const idBefore = (cursor: string | undefined): string => idOf(cursor) ?? LARGEST_ID;

export const SMALLEST_ID = '00000000-0000-0000-0000-000000000000';
export const LARGEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The cursor of the page after the item with an id. */
export const cursorOf = (id: string): string => bytesOfId(id).toString('base64url');
