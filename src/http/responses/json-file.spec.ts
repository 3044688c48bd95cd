import { jsonText } from './json-file';

const textOf = async (content: Parameters<typeof jsonText>[0]) => {
  let text = '';
  for await (const piece of jsonText(content)) text += piece;
  return text;
};
/** A list of numbers, in pages of two. */
const numbers = (count: number) => ({
  name: `of${count}`,
  read: ({ limit, cursor }: { limit: number; cursor?: string }) => {
    const [first, size] = [Number(cursor ?? 0), Math.min(2, limit)];
    const items = Array.from({ length: Math.max(Math.min(size, count - first), 0) }, (_, at) => ({ n: first + at }));
    return Promise.resolve({ items, nextCursor: first + size < count ? String(first + size) : null });
  },
});

describe('The text of a JSON file', () => {
  const content = (counts: number[], maxItems = 100) => ({
    name: 'file',
    fields: { version: 1, at: new Date(0) },
    lists: counts.map(numbers),
    maxItems,
  });

  it.each([[[]], [[0]], [[1]], [[2]], [[5, 0, 3]]])('has all items of lists with %j', async (counts) => {
    const lists = Object.fromEntries(
      counts.map((count) => [`of${count}`, Array.from({ length: count }, (_, n) => ({ n }))]),
    );
    expect(JSON.parse(await textOf(content(counts)))).toEqual({
      version: 1,
      at: '1970-01-01T00:00:00.000Z',
      lists,
      truncated: [],
    });
  });

  it('names the lists that have more items than the file', async () => {
    const file = JSON.parse(await textOf(content([3, 4, 2], 3))) as { lists: Record<string, object[]> };
    const lengths = Object.entries(file.lists).map(([name, items]) => [name, items.length]);
    expect({ lengths, ...file }).toMatchObject({
      lengths: [
        ['of3', 3],
        ['of4', 3],
        ['of2', 2],
      ],
      truncated: ['of4'],
    });
  });
});
