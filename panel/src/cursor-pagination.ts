/**
 * A page as the API gives it: where the next begins, but neither how many there are nor where the
 * fifth begins.
 */
export interface Page<Row> {
  readonly items: readonly Row[];
  readonly nextCursor: string | null;
}

/** No list is walked further than this: who wants something older filters. */
const WALKED = 40;

/**
 * Where the pages of each list begin, as far as they were visited: index 0 is page 1, which needs
 * no cursor.
 */
const visited = new Map<string, string[]>();

/**
 * Reads a numbered page. Who follows a deep link has not visited those before: they are walked
 * through, once.
 * @param list which list, with its filters and page size
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
    if (page.nextCursor === null || at - first === WALKED) return { items: [], nextCursor: null };
  }
}

/**
 * With rows added or gone, the pages after this one begin elsewhere than when they were visited.
 */
function remember(cursors: string[], page: number, nextCursor: string | null): void {
  if (cursors[page - 1] === nextCursor) return;
  cursors.splice(page - 1);
  if (nextCursor !== null) cursors.push(nextCursor);
}
