import type { Response } from 'express';

/**
 * A successful answer to a GET whose JSON is written already. An answer that is stored for its
 * Idempotency-Key must be a value.
 */
export abstract class WrittenResponse<T> {
  /** What the JSON contains, for the compiler: a route declares it. */
  declare protected readonly data: T;
  /** The JSON with its envelope. */
  protected readonly body: string;

  /** @param data the JSON of the data */
  protected constructor(data: string) {
    this.body = `{"success":true,"data":${data}}`;
  }

  /** Writes the headers. @returns the body */
  writeTo(response: Response): string {
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    return this.body;
  }
}
