import { createHash } from 'node:crypto';
import type { Response } from 'express';
import { allowSharedCaching } from './shared-cache';
import { WrittenResponse } from './written-response';

/**
 * A successful answer that is the same for everybody, written once. Browsers and proxies may keep
 * it; one that has it gets 304.
 */
export class PreparedResponse<T> extends WrittenResponse<T> {
  private readonly etag: string;

  /** @param maxAge seconds for which it may be kept */
  constructor(
    data: T,
    private readonly maxAge: number,
  ) {
    super(JSON.stringify(data));
    this.etag = `"${createHash('sha256').update(this.body).digest('base64url').slice(0, 22)}"`;
  }

  /** Express leaves the body out of a 304. */
  override writeTo(response: Response): string {
    response.setHeader('ETag', this.etag);
    allowSharedCaching(response, this.maxAge);
    return super.writeTo(response);
  }
}
