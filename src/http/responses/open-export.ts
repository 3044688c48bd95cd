import type { Response } from 'express';
import type { ExportTimes } from './export-timing';

/** The response of an export, from its request to its end. */
export class OpenExport {
  private readonly openedAt = performance.now();
  private movedAt = this.openedAt;
  private written = 0;

  /** @param party the tenant or operator whose export it is */
  constructor(
    readonly party: string,
    private readonly response: Response,
  ) {}

  /**
   * Why the export must be cut: the client takes nothing, or the file takes too long. Rows are
   * written as fast as the client takes them, so bytes are written as long as it reads.
   * @returns undefined while it may go on
   */
  overdue({ stallMs, totalMs }: ExportTimes): 'stalled' | 'too-long' | undefined {
    const now = performance.now();
    const { bytesWritten } = this.response.req.socket;
    if (bytesWritten !== this.written) this.movedAt = now;
    this.written = bytesWritten;
    if (now - this.movedAt >= stallMs) return 'stalled';
    return now - this.openedAt >= totalMs ? 'too-long' : undefined;
  }

  /** Closes the connection; the client sees that the file is incomplete. */
  cut(): void {
    this.response.req.socket.destroy();
  }
}
