/** The filter and position of a page. */
export interface PageQuery<Row> {
  readonly limit: number;
  readonly startingAfter?: string;
  readonly endingBefore?: string;
  /** Only rows of this customer, found by index. */
  readonly customer?: string;
  readonly matches: (row: Row) => boolean;
}

/** Rows in order of creation, indexed by id and by customer. */
export class Table<Row extends { readonly id: string; readonly customer?: string | null }> {
  private rows: Row[] = [];
  private dropped = 0;
  private readonly positions = new Map<string, number>();
  /**
   * A list only for customers with several rows: 100,000 lists of one row would need more memory
   * than the rows.
   */
  private readonly byCustomer = new Map<string, Row | Row[]>();

  get size(): number {
    return this.rows.length;
  }

  add(row: Row): Row {
    this.positions.set(row.id, this.dropped + this.rows.length);
    this.rows.push(row);
    if (row.customer) this.assign(row, row.customer);
    return row;
  }

  /** Indexes a row by a customer that it did not have when it was added. */
  assign(row: Row, customer: string): void {
    const known = this.byCustomer.get(customer);
    if (known === undefined) this.byCustomer.set(customer, row);
    else if (Array.isArray(known)) known.push(row);
    else this.byCustomer.set(customer, [known, row]);
  }

  get(id: string): Row | undefined {
    const position = this.positions.get(id);
    return position === undefined ? undefined : this.rows[position - this.dropped];
  }

  /** Oldest first. */
  all(): readonly Row[] {
    return this.rows;
  }

  /** Oldest first. */
  of(customer: string): readonly Row[] {
    const known = this.byCustomer.get(customer);
    return known === undefined ? [] : Array.isArray(known) ? known : [known];
  }

  latest(count: number): Row[] {
    return this.rows.slice(-count).reverse();
  }

  /** A page, newest first. */
  page({ limit, startingAfter, endingBefore, customer, matches }: PageQuery<Row>): { rows: Row[]; hasMore: boolean } {
    const rows = customer === undefined ? this.rows : this.of(customer);
    const indexOf = (id: string) =>
      customer === undefined ? this.positions.get(id)! - this.dropped : rows.findIndex((row) => row.id === id);
    const step = endingBefore === undefined ? -1 : 1;
    const found: Row[] = [];
    let index =
      endingBefore !== undefined
        ? indexOf(endingBefore) + 1
        : startingAfter !== undefined
          ? indexOf(startingAfter) - 1
          : rows.length - 1;
    for (; index >= 0 && index < rows.length && found.length <= limit; index += step)
      if (matches(rows[index])) found.push(rows[index]);
    const hasMore = found.length > limit;
    if (hasMore) found.pop();
    return { rows: step === 1 ? found.reverse() : found, hasMore };
  }

  /** From now on, the row is not found by its id and customer. */
  forget(id: string): void {
    const row = this.get(id);
    if (row?.customer)
      this.byCustomer.set(
        row.customer,
        [...this.of(row.customer)].filter((one) => one !== row),
      );
    this.positions.delete(id);
  }

  /** Deletes the oldest rows. Only for tables that are not queried by customer. */
  dropOldest(count: number): void {
    for (const { id } of this.rows.slice(0, count)) this.positions.delete(id);
    this.rows = this.rows.slice(count);
    this.dropped += count;
  }
}
