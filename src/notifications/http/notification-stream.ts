import type { Response } from 'express';
import type { Result } from '../../platform/result';
import type { NewNotifications } from '../queries/list-new-notifications';

/**
 * Bytes that may be buffered for a slow client; beyond that the connection is closed, and the
 * client resumes from its last event.
 */
const MAX_BUFFERED_BYTES = 256 * 1024;
/**
 * Milliseconds before a client reconnects: spread, so that not all reconnect at once after a
 * restart; longer for a stream that was superseded.
 */
const RECONNECT_MS = 2000;
const RECONNECT_SPREAD_MS = 3000;
const RECONNECT_SUPERSEDED_MS = 60_000;
/**
 * Milliseconds for a client to receive the end of the stream before the connection is destroyed.
 */
const CLOSE_TIMEOUT_MS = 5000;

/**
 * An open stream of server-sent events (WHATWG HTML, section 9.2). Each notification is an event;
 * its id is the position to resume from. The first event has the position alone, so that a client
 * that is disconnected before the first notification misses nothing.
 */
export class NotificationStream {
  private reading = false;
  private again = false;

  constructor(
    private readonly response: Response,
    private position: string,
    private readonly read: (position: string) => Promise<Result<NewNotifications>>,
  ) {}

  /** Sends the response headers and the first position. */
  start(): void {
    this.response.status(200).set({ 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' });
    this.response.flushHeaders();
    const retry = RECONNECT_MS + Math.floor(Math.random() * RECONNECT_SPREAD_MS);
    this.write(`retry: ${retry}\nid: ${this.position}\nevent: connected\ndata: {}\n\n`);
  }

  /** Reads new notifications. If called while reading, reads once more afterwards. */
  wake(): void {
    this.again = true;
    if (!this.reading) void this.readNew();
  }

  /** Sends a comment that keeps the connection open, and retries a failed read. */
  heartbeat(): void {
    this.write(': heartbeat\n\n');
    if (this.again && !this.reading) void this.readNew();
  }

  /**
   * Ends the stream; the client reconnects with the id of its last event. A client that does not
   * receive the end is disconnected.
   */
  end(): void {
    this.response.end();
    setTimeout(() => this.response.destroy(), CLOSE_TIMEOUT_MS).unref();
  }

  /**
   * Ends the stream because the user has opened too many; reconnecting at once would only end
   * another one.
   */
  supersede(): void {
    this.write(`retry: ${RECONNECT_SUPERSEDED_MS}\n\n`);
    this.end();
  }

  private async readNew(): Promise<void> {
    this.reading = true;
    try {
      while (this.again && !this.response.writableEnded) {
        this.again = false;
        const found = await this.read(this.position);
        if (!found.ok) throw new Error(found.failure.code);
        this.position = found.value.position;
        this.again ||= found.value.more;
        for (const { position, view } of found.value.items)
          this.write(`id: ${position}\nevent: notification\ndata: ${JSON.stringify(view)}\n\n`);
      }
    } catch {
      this.again = true; // the database is unavailable or busy: retried at the next heartbeat
    } finally {
      this.reading = false;
    }
  }

  private write(text: string): void {
    if (this.response.writableEnded) return;
    this.response.write(text);
    if (this.response.writableLength > MAX_BUFFERED_BYTES) this.response.destroy();
  }
}
