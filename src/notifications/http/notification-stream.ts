import type { Response } from 'express';
import type { Result } from '../../platform/result';
import type { NewNotifications } from '../queries/list-new-notifications';

/** What a client that does not read may leave lying, in bytes; beyond it the stream ends, and the client resumes where it was. */
const MAX_UNREAD = 256 * 1024;
/** What a client waits before it connects again, in milliseconds. */
const RECONNECT_MS = 2000;

/** One open stream of server-sent events (WHATWG HTML, section 9.2): an event per notification, its id the notification's. */
export class NotificationStream {
  private reading = false;
  private again = false;

  constructor(
    private readonly response: Response,
    private position: string,
    private readonly read: (position: string) => Promise<Result<NewNotifications>>,
  ) {}

  /** Sends the head of the answer and what was missed. */
  begin({ items }: NewNotifications): void {
    this.response.status(200).set({ 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' });
    this.response.flushHeaders();
    this.write(`retry: ${RECONNECT_MS}\n\n`);
    this.send(items);
  }

  /** Looks for new notifications. Woken while it looks, it looks once more. */
  wake(): void {
    this.again = true;
    if (!this.reading) void this.readOn();
  }

  heartbeat(): void {
    this.write(': heartbeat\n\n');
  }

  /** Ends in good order: the client connects again and gives the id that it saw last. */
  end(): void {
    this.response.end();
  }

  private async readOn(): Promise<void> {
    this.reading = true;
    try {
      while (this.again && !this.response.writableEnded) {
        this.again = false;
        const found = await this.read(this.position);
        if (!found.ok) return this.end();
        this.position = found.value.position;
        this.again ||= found.value.more;
        this.send(found.value.items);
      }
    } catch {
      this.end(); // the database is away: the client tries again, and misses nothing
    } finally {
      this.reading = false;
    }
  }

  private send(items: NewNotifications['items']): void {
    for (const item of items) this.write(`id: ${item.id}\nevent: notification\ndata: ${JSON.stringify(item)}\n\n`);
  }

  private write(text: string): void {
    if (this.response.writableEnded) return;
    this.response.write(text);
    if (this.response.writableLength > MAX_UNREAD) this.response.destroy();
  }
}
