import { LARGEST_ID } from '../../platform/pagination';
import { allOf, escapeLike, idSearch, searchPage, type Condition } from './search-page';

const ID = '0192f0c1-2345-7abc-8def-0123456789ab';
const CONDITION: Condition = { sql: 'r.name = $3', parameters: ['Ada'] };
const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ id: `0192f0c1-2345-7abc-8def-${String(999 - i).padStart(12, '0')}` }));

/** Reads a page of two rows from given responses, and keeps what was asked. */
async function read(responses: { id: string }[][], condition?: Condition, cursor?: string) {
  const asked: { sql: string; parameters: unknown[] }[] = [];
  const page = await searchPage(
    (sql, parameters) => {
      asked.push({ sql, parameters });
      return Promise.resolve(responses[asked.length - 1] ?? []);
    },
    'users',
    condition,
    { cursor, limit: 2 },
  );
  return { page, asked };
}

describe('A text in a pattern of LIKE', () => {
  it.each([
    ['100%', '100\\%'],
    ['first_last', 'first\\_last'],
    ['C:\\temp', 'C:\\\\temp'],
    ['\\%_', '\\\\\\%\\_'],
    ['ada@example.com', 'ada@example.com'],
  ])('%s is escaped as %s', (text, expected) => expect(escapeLike(text)).toBe(expected));
});

describe('A search for an id', () => {
  it.each([
    ['a UUID', ID],
    ['a UUID in upper case', ID.toUpperCase()],
  ])('is made for %s', (_what, text) => expect(idSearch(text)).toEqual({ sql: 'r.id = $3::uuid', parameters: [text] }));

  it.each([
    ['a name', 'Ada'],
    ['the beginning of a UUID', ID.slice(0, -1)],
    ['a UUID within a text', `${ID} `],
    ['a UUID without hyphens', ID.replaceAll('-', '')],
    ['nothing', ''],
  ])('is not made for %s', (_what, text) => expect(idSearch(text)).toBeUndefined());
});

describe('Several conditions', () => {
  const named: Condition = { sql: 'r.name = $3', parameters: ['Ada'] };
  const aged = (first: number): Condition => ({ sql: `r.age = $${first}`, parameters: [36], among: 'aged' });

  it('must all hold, each with its own parameters', () =>
    expect(allOf(() => named, aged)).toEqual({
      sql: 'r.name = $3 AND r.age = $4',
      parameters: ['Ada', 36],
      among: 'aged',
    }));

  it.each([
    ['the only one', [() => undefined, aged], aged(3)],
    ['nothing', [() => undefined], undefined],
  ])('are %s if the others are not asked for', (_what, conditions, expected) =>
    expect(allOf(...conditions)).toEqual(expected),
  );
});

describe('A page of a large table', () => {
  it('without a condition is read by one statement, with one row more than the page', async () => {
    const { page, asked } = await read([rowsOf(3)]);
    expect(page.items).toEqual(rowsOf(2));
    expect(page.nextCursor).toMatch(/^[\w-]{22}$/);
    expect(asked.map(({ parameters }) => parameters)).toEqual([[LARGEST_ID, 3]]);
  });

  it('is the last one if there is no further row', async () =>
    expect((await read([rowsOf(2)])).page.nextCursor).toBeNull());

  it('continues after the id in the cursor', async () => {
    const { nextCursor } = (await read([rowsOf(3)])).page;
    const { asked } = await read([rowsOf(1)], undefined, nextCursor ?? undefined);
    expect(asked[0].parameters).toEqual([rowsOf(2)[1].id, 3]);
  });

  it('of a frequent match is found among the newest rows alone', async () => {
    const { page, asked } = await read([rowsOf(3)], CONDITION);
    expect(page.items).toEqual(rowsOf(2));
    expect(asked).toEqual([{ sql: expect.stringContaining('LIMIT 5000'), parameters: [LARGEST_ID, 3, 'Ada'] }]);
  });

  it('of a match that fills no page there is read from the whole table', async () => {
    const { page, asked } = await read([rowsOf(1), rowsOf(2)], CONDITION);
    expect(page).toEqual({ items: rowsOf(2), nextCursor: null });
    expect(asked[1]).toEqual({ sql: expect.not.stringContaining('5000'), parameters: [LARGEST_ID, 3, 'Ada'] });
  });

  it('of such a match is read from the rows that may match, if an index finds them', async () => {
    const { asked } = await read([rowsOf(1), rowsOf(2)], { ...CONDITION, among: 'SELECT id FROM few' });
    expect(asked[0].sql).not.toContain('few');
    expect(asked[1].sql).toContain('FROM (SELECT id FROM few) r WHERE r.name = $3 AND r.id < $1');
  });
});
