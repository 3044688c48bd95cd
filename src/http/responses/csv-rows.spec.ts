import { csvLine, csvPages, cutNotice, type CsvColumns } from './csv-rows';

describe('A line of a CSV file', () => {
  it.each([
    ['a plain text', 'Ada', 'Ada'],
    ['a comma', 'Lovelace, Ada', '"Lovelace, Ada"'],
    ['a quotation mark', 'Ada "the" first', '"Ada ""the"" first"'],
    ['a line break', 'a\nb', '"a\nb"'],
    ['a formula after a semicolon, which some spreadsheets separate by', 'a;=1+1;b', `"a;'=1+1;b"`],
    ['several of them', 'a;+1;-1;@x;＝1', `"a;'+1;'-1;'@x;'＝1"`],
    ['one after a quotation mark', 'a;"=1', `"a;'""=1"`],
    ['one after a comma, which is quoted', 'a,=1', '"a,=1"'],
    ['one after a tab', 'a\t=1', "a\t'=1"],
    ['one after a line break', 'a\r\n=1\n－1', `"a\r\n'=1\n'－1"`],
    ['a line break or a tab after a separator', 'a;\r;\t', `"a;'\r;'\t"`],
    ['separators without a formula', 'a; b,c-d\n\n(1+1)=2', '"a; b,c-d\n\n(1+1)=2"'],
    ['space at the end', 'Ada ', '"Ada "'],
    ['a formula', '=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"'],
    ['a plus sign', '+49 30', "'+49 30"],
    ['a minus sign', '-1+1', "'-1+1"],
    ['an at sign', '@SUM(A1)', "'@SUM(A1)"],
    ['a tab', '\t=1', "'\t'=1"],
    ['a line break at the beginning', '\n=1', `"'\n'=1"`],
    ['a full-width equals sign', '＝1', "'＝1"],
    ['a negative number', -5, '-5'],
    ['a flag', false, 'false'],
    ['a time', new Date('2026-01-31T10:00:00Z'), '2026-01-31T10:00:00.000Z'],
    ['an object', { a: [1, -2] }, '"{""a"":[1,-2]}"'],
    ['null', null, ''],
    ['nothing', undefined, ''],
  ])('has %s', (_what, value, cell) => expect(csvLine([1, value, 2])).toBe(`1,${cell},2\r\n`));
});

describe('The text of a CSV file', () => {
  const COLUMNS: CsvColumns<number> = { Number: (row) => row, Double: (row) => 2 * row };

  /** The text of pages, and the cursors that were read. */
  async function textOf(pages: number[][], maxRows: number) {
    const asked: string[] = [];
    const page = (at: number) => ({ items: pages[at], nextCursor: at + 1 < pages.length ? String(at + 1) : null });
    const read = (cursor: string) => {
      asked.push(cursor);
      return Promise.resolve(page(Number(cursor)));
    };
    let text = '';
    for await (const part of csvPages(COLUMNS, maxRows, page(0), read)) text += part;
    return { lines: text.split('\r\n').slice(0, -1), asked };
  }

  it('has the rows of all pages below its header', async () => {
    const { lines, asked } = await textOf([[1, 2], [3]], 3);
    expect(lines).toEqual(['Number,Double', '1,2', '2,4', '3,6']);
    expect(asked).toEqual(['1']);
  });

  it('is its header if there are no rows', async () =>
    expect((await textOf([[]], 3)).lines).toEqual(['Number,Double']));

  it.each([
    ['within a page', [[1, 2, 3]]],
    ['between two pages', [[1, 2], [3]]],
  ])('says that it was cut %s, and reads no further', async (_where, pages) => {
    const { lines, asked } = await textOf(pages, 2);
    expect(lines).toEqual(['Number,Double', '1,2', '2,4', cutNotice(2)]);
    expect(asked).toEqual([]);
  });

  it('ends with the failure of a page', async () => {
    const pages = csvPages(COLUMNS, 9, { items: [1], nextCursor: 'x' }, () => Promise.reject(new Error('away')));
    await expect(async () => {
      for await (const part of pages) expect(part).toBeDefined();
    }).rejects.toThrow('away');
  });
});
