import { StreamableFile } from '@nestjs/common';
import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import type { Page, PageRequest } from '../../platform/pagination';
import { ok, type Result } from '../../platform/result';
import { csvPages, type CsvColumns } from './csv-rows';

/** The most rows of a file (docs/contract.md, CSV files). */
export const MAX_CSV_ROWS = 100_000;
/** Rows that are read by one query. */
const PAGE_ROWS = 1000;
/** Spreadsheets recognize UTF-8 by it. */
const BYTE_ORDER_MARK = '\uFEFF';

/** What a file contains. */
export interface CsvContent<Row> {
  /** The beginning of the file name, such as `users`. */
  readonly name: string;
  /** The day in the file name. */
  readonly day: Date;
  readonly columns: CsvColumns<Row>;
}

/** A CSV file as a response. It is sent while it is read, at the speed of the client. */
export class CsvFile extends StreamableFile {
  /**
   * Reads the first page, so that a refusal is an ordinary response. A failure of a later page
   * interrupts the response.
   * @param read a page of the list, with a `limit` of up to 1,000
   */
  static async of<Row, Code extends string>(
    { name, day, columns }: CsvContent<Row>,
    read: (page: PageRequest) => Promise<Result<Page<Row>, Code>>,
    maxRows = MAX_CSV_ROWS,
  ): Promise<Result<CsvFile, Code>> {
    const first = await read({ limit: PAGE_ROWS });
    if (!first.ok) return first;
    const inRequest = AsyncLocalStorage.snapshot(); // the stream reads in the context of the socket
    const next = async (cursor: string) => {
      const page = await inRequest(() => read({ limit: PAGE_ROWS, cursor }));
      if (!page.ok) throw new Error(`A page of ${name} was refused: ${page.failure.code}`);
      return page.value;
    };
    const text = csvPages(columns, maxRows, first.value, next);
    const file = `${name}-${day.toISOString().slice(0, 10)}.csv`;
    const options = { type: 'text/csv; charset=utf-8', disposition: `attachment; filename="${file}"` };
    return ok(new CsvFile(Readable.from(withByteOrderMark(text), { objectMode: false }), options));
  }
}

async function* withByteOrderMark(text: AsyncGenerator<string>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK;
  yield* text;
}
