import { IncomingMessage } from 'node:http';

/** Chunks of any body, and the bytes for which it may have one more. */
const MOST_CHUNKS = 1000;
const BYTES_PER_CHUNK = 512;

/** The event of a request whose body has arrived in too many chunks. */
export const TOO_MANY_CHUNKS = 'tooManyChunks';

/**
 * A new class of requests whose bodies may have 1,000 chunks, and one for each 512 bytes: Node
 * keeps an object for each chunk until the body is read. Beyond that the reader of the body is
 * told, or the connection is closed, and nothing more is kept (docs/contract.md, Request bodies).
 */
export function boundedRequestClass(): typeof IncomingMessage {
  return class BoundedRequest extends IncomingMessage {
    private chunks = 0;
    private bytes = 0;
    private isRefused = false;

    /** Adds a chunk to what can be read; null at the end of the body. */
    override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
      if (this.isRefused) return false;
      if (chunk === null) return super.push(chunk, encoding);
      this.bytes += chunk.length;
      if (++this.chunks <= MOST_CHUNKS + this.bytes / BYTES_PER_CHUNK) return super.push(chunk, encoding);
      this.isRefused = true;
      if (!this.emit(TOO_MANY_CHUNKS)) this.destroy();
      return false;
    }
  };
}
