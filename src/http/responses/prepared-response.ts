import { createHash } from 'node:crypto';
import type { Response } from 'express';
import { allowSharedCaching } from './shared-cache';

/**
 * A successful answer that is the same for everybody, with its envelope and written as JSON once.
 * Browsers and proxies may keep it; one that has it gets 304.
 */
export class PreparedResponse<T> {
  private readonly body: string;
  private readonly etag: string;

  /** @param maxAge seconds for which it may be kept */
  constructor(
    readonly data: T,
    private readonly maxAge: number,
  ) {
    this.body = JSON.stringify({ success: true, data });
    this.etag = `"${createHash('sha256').update(this.body).digest('base64url').slice(0, 22)}"`;
  }

  /** Writes the headers. @returns the body; Express leaves it out of a 304 */
  writeTo(response: Response): string {
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('ETag', this.etag);
    allowSharedCaching(response, this.maxAge);
    return this.body;
  }
}
