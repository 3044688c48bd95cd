import type { Page } from '../../platform/pagination';

/** A value of a cell: objects become JSON, times ISO 8601, null and undefined nothing. */
export type CsvValue = string | number | boolean | Date | object | null | undefined;

/** The columns of a file: each header with the value of a row. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => CsvValue>>;

/**
 * Where a spreadsheet could begin to evaluate a text (OWASP, CSV injection): at its beginning, and
 * after what separates cells for a spreadsheet that does not separate by commas. Quotation marks
 * are doubled within a cell, so there they could be an empty text in front of a formula.
 */
const FORMULA = /^(?=[=+\-@\t\r\n＝＋－＠])|(?<=[;\t\r\n])(?="*[=+\-@\t\r＝＋－＠])/g;
/** Rows in one piece of text. A slow client that takes a large one would seem to be stalled. */
const ROWS_PER_PIECE = 100;
const NEEDS_QUOTES = /[",;\r\n]|^\s|\s$/;

/** One line of RFC 4180. What a spreadsheet would evaluate in a text follows an apostrophe. */
export const csvLine = (values: readonly CsvValue[]): string => `${values.map(cellOf).join(',')}\r\n`;

function cellOf(value: CsvValue): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : value instanceof Date ? value.toISOString() : JSON.stringify(value);
  const safe = text.replaceAll(FORMULA, "'");
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * The text of a file, piece by piece: the header, then at most `maxRows` rows. If there are more,
 * the last line says so.
 * @param first the first page, already read
 * @param read the page at a cursor; what it throws ends the text
 */
export async function* csvPages<Row>(
  columns: CsvColumns<Row>,
  maxRows: number,
  first: Page<Row>,
  read: (cursor: string) => Promise<Page<Row>>,
): AsyncGenerator<string> {
  const values = Object.values(columns);
  yield csvLine(Object.keys(columns));
  let left = maxRows;
  for (let page = first; ; page = await read(page.nextCursor)) {
    const rows = page.items.slice(0, left);
    for (let at = 0; at < rows.length; at += ROWS_PER_PIECE) {
      const piece = rows.slice(at, at + ROWS_PER_PIECE);
      yield piece.map((row) => csvLine(values.map((value) => value(row)))).join('');
    }
    left -= rows.length;
    const isCut = rows.length < page.items.length || (left === 0 && page.nextCursor !== null);
    if (isCut) yield csvLine([cutNotice(maxRows)]);
    if (isCut || page.nextCursor === null) return;
  }
}

/** The last line of a file that was cut. */
export const cutNotice = (maxRows: number) => `Truncated after ${maxRows} rows. Use filters to export the rest.`;
