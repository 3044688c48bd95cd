import { createHash } from 'node:crypto';
import type { Response } from 'express';

/**
 * A successful answer that is the same for everybody, with its envelope and written as JSON once.
 * Browsers and proxies may keep it; one that has it gets 304.
 */
export class PreparedResponse<T> {
  private readonly body: string;
  private readonly etag: string;
  private readonly cacheControl: string;

  /** @param maxAge seconds for which it may be kept */
  constructor(
    readonly data: T,
    maxAge: number,
  ) {
    this.body = JSON.stringify({ success: true, data });
    this.etag = `"${createHash('sha256').update(this.body).digest('base64url').slice(0, 22)}"`;
    this.cacheControl = `public, max-age=${maxAge}`;
  }

  /** Writes the headers. @returns the body; Express leaves it out of a 304 */
  writeTo(response: Response): string {
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('ETag', this.etag);
    response.setHeader('Cache-Control', this.cacheControl);
    return this.body;
  }
}
