import { cursorOf, type Page } from '../../platform/pagination';
import { WrittenResponse } from './written-response';

/** The row of a statement that selects a page of a list as JSON. */
export interface JsonPageRow<Item> {
  /** The items as JSON, separated by commas; null if there are none. */
  readonly items: string | null;
  /** The id of the last item, or null on the last page. */
  readonly lastId: string | null;
  /** What each item contains, for the compiler. */
  readonly item?: Item;
}

/**
 * A page of a list whose items PostgreSQL has written as JSON: Node needs half of the time for it
 * (docs/decisions/0069-pages-written-by-postgresql.md).
 */
export class JsonPage<Item> extends WrittenResponse<Page<Item>> {
  readonly isEmpty: boolean;

  constructor({ items, lastId }: JsonPageRow<Item>) {
    super(`{"items":[${items ?? ''}],"nextCursor":${lastId === null ? 'null' : `"${cursorOf(lastId)}"`}}`);
    this.isEmpty = items === null;
  }
}
