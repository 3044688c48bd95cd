import { StreamableFile } from '@nestjs/common';
import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import type { Page, PageRequest } from '../../platform/pagination';

/** Items that are read by one query. */
const PAGE_ITEMS = 500;

/** A list in a file. */
export interface JsonList {
  /** Its key. */
  readonly name: string;
  readonly read: (page: PageRequest) => Promise<Page<object>>;
}

/** What a file contains. */
export interface JsonContent {
  /** The name of the file without its ending. */
  readonly name: string;
  /** Fields before the lists. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly lists: readonly JsonList[];
  /** The most items of a list. */
  readonly maxItems: number;
}

/**
 * A JSON file as a response: an object with fields and, in `lists`, lists by name. It is sent while
 * it is read, at the speed of the client. `truncated` names the lists that have more items than the
 * file.
 */
export class JsonFile extends StreamableFile {
  static of(content: JsonContent): JsonFile {
    const inRequest = AsyncLocalStorage.snapshot(); // the stream reads in the context of the socket
    const lists = content.lists.map(({ name, read }) => ({
      name,
      read: (page: PageRequest) => inRequest(() => read(page)),
    }));
    const options = { type: 'application/json', disposition: `attachment; filename="${content.name}.json"` };
    return new JsonFile(Readable.from(jsonText({ ...content, lists }), { objectMode: false }), options);
  }
}

/** The text of a file, piece by piece. */
export async function* jsonText({ fields, lists, maxItems }: JsonContent): AsyncGenerator<string> {
  const truncated: string[] = [];
  yield `${JSON.stringify(fields, null, 2).replace(/\n\}$/, '')},\n  "lists": {`;
  for (const [index, { name, read }] of lists.entries()) {
    yield `${index > 0 ? ',' : ''}\n    ${JSON.stringify(name)}: [`;
    let left = maxItems;
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page = await read({ limit: Math.min(PAGE_ITEMS, left), cursor });
      if (page.items.length > 0) yield piece(page.items, left < maxItems);
      left -= page.items.length;
      cursor = left > 0 ? page.nextCursor : null;
      if (left <= 0 && page.nextCursor !== null) truncated.push(name);
    }
    yield left < maxItems ? '\n    ]' : ']';
  }
  yield `\n  },\n  "truncated": ${JSON.stringify(truncated)}\n}\n`;
}

const piece = (items: readonly object[], follows: boolean) =>
  `${follows ? ',' : ''}${items.map((item) => `\n      ${JSON.stringify(item)}`).join(',')}`;
