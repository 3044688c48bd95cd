import type { Response } from 'express';

/** A successful answer whose JSON is written already, with its envelope. */
export abstract class WrittenResponse<T> {
  /** What the JSON contains, for the compiler: a route declares it. */
  declare readonly data: T;

  /** @param body the JSON */
  protected constructor(protected readonly body: string) {}

  /** Writes the headers. @returns the body */
  writeTo(response: Response): string {
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    return this.body;
  }
}
