import { select } from './select-list';

/** A function of the database whose rows the service reads. */
export class DatabaseFunction<Row extends object> {
  /**
   * @param columns one of the function's columns, or an expression, for each field of a row; the
   * column of a function that returns one value has the name of the function
   */
  constructor(
    private readonly name: string,
    private readonly columns: { readonly [K in keyof Row]-?: string },
  ) {}

  /** The statement that calls it. @param count of parameters */
  statement(count: number): string {
    const parameters = Array.from({ length: count }, (_, index) => `$${index + 1}`);
    return `SELECT ${select<Row>()(this.columns)} FROM ${this.name}(${parameters.join(', ')})`;
  }
}
