/** A page of the API: rows and the cursor of the next page. There are no page numbers or totals. */
export interface Page<Row> {
  readonly items: readonly Row[];
  readonly nextCursor: string | null;
}

/** The most pages that are read to reach a page number. */
const MOST_PAGES = 40;

/** The cursors of the pages that were visited, per list; the first is of page 2. */
const visited = new Map<string, string[]>();

/**
 * Reads a page by number. If the pages before it were not visited, as with a deep link, they are
 * read first.
 * @param list the key of the list, with its filters and page size
 */
export async function readPage<Row>(
  list: string,
  number: number,
  read: (cursor?: string) => Promise<Page<Row>>,
): Promise<Page<Row>> {
  const cursors = visited.get(list) ?? [];
  visited.set(list, cursors);
  const first = Math.min(number, cursors.length + 1);
  for (let at = first; ; at++) {
    const page = await read(at === 1 ? undefined : cursors[at - 2]);
    remember(cursors, at, page.nextCursor);
    if (at === number) return page;
    if (page.nextCursor === null || at - first === MOST_PAGES) return { items: [], nextCursor: null };
  }
}

/** Keeps the cursor of the next page. If it has changed, the cursors after it are stale. */
function remember(cursors: string[], page: number, nextCursor: string | null): void {
  if (cursors[page - 1] === nextCursor) return;
  cursors.splice(page - 1);
  if (nextCursor !== null) cursors.push(nextCursor);
}
