import type { Response } from 'express';
import type { Result } from '../../platform/result';
import type { NewNotifications } from '../queries/list-new-notifications';

/**
 * What a client that does not read may leave lying, in bytes; beyond it the stream ends, and the
 * client resumes where it was.
 */
const MAX_UNREAD = 256 * 1024;
/**
 * What a client waits before it connects again, in milliseconds: not all at once after a restart;
 * longer when it was one too many.
 */
const RECONNECT_MS = 2000;
const RECONNECT_SPREAD_MS = 3000;
const RECONNECT_SUPERSEDED_MS = 60_000;
/** What a client has to take a farewell, in milliseconds. */
const FAREWELL_MS = 5000;

/**
 * One open stream of server-sent events (WHATWG HTML, section 9.2): an event per notification, its
 * id the place to resume from.
 */
export class NotificationStream {
  private reading = false;
  private again = false;

  constructor(
    private readonly response: Response,
    private position: string,
    private readonly read: (position: string) => Promise<Result<NewNotifications>>,
  ) {}

  /** Sends the head of the answer. */
  begin(): void {
    this.response.status(200).set({ 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' });
    this.response.flushHeaders();
    this.write(`retry: ${RECONNECT_MS + Math.floor(Math.random() * RECONNECT_SPREAD_MS)}\n\n`);
  }

  /** Looks for new notifications. Woken while it looks, it looks once more. */
  wake(): void {
    this.again = true;
    if (!this.reading) void this.readOn();
  }

  /** Shows that it lives; where looking has failed, looks again. */
  heartbeat(): void {
    this.write(': heartbeat\n\n');
    if (this.again && !this.reading) void this.readOn();
  }

  /**
   * Ends in good order: the client connects again and says what it saw last. One that does not even
   * take that is cut off.
   */
  end(): void {
    this.response.end();
    setTimeout(() => this.response.destroy(), FAREWELL_MS).unref();
  }

  /**
   * Ends because its person has opened too many: connecting again at once would only push another
   * one out.
   */
  supersede(): void {
    this.write(`retry: ${RECONNECT_SUPERSEDED_MS}\n\n`);
    this.end();
  }

  private async readOn(): Promise<void> {
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
      this.again = true; // the database is away or busy: with the next heartbeat
    } finally {
      this.reading = false;
    }
  }

  private write(text: string): void {
    if (this.response.writableEnded) return;
    this.response.write(text);
    if (this.response.writableLength > MAX_UNREAD) this.response.destroy();
  }
}
