const INTERVAL_MS = 60_000;

/** Lets a line be logged at most once a minute, where each request may have the same reason. */
export class LogInterval {
  private loggedAt = -INTERVAL_MS;

  /** Whether the line is due; then the next one is due in a minute. */
  isDue(): boolean {
    const now = performance.now();
    if (now - this.loggedAt < INTERVAL_MS) return false;
    this.loggedAt = now;
    return true;
  }
}
