import { hold, MARGIN_MS, type Held } from './held.js';
import type { Memory } from './memory.js';

/**
 * Somebody whom an operator acts as, in this tab only, until it is left or its time is over: what
 * the page shows must not go on as if it were not.
 */
export class Impersonation {
  /** The token that acts; null: nobody is acted as. */
  held: Held | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** @param changed told when it ends by the clock */
  constructor(
    private readonly memory: Memory,
    private readonly changed: () => void,
  ) {
    const kept = memory.impersonation;
    if (kept) this.begin(kept.accessToken, kept.expiresAt);
  }

  /** @param expiresAt milliseconds since 1970 */
  begin(accessToken: string, expiresAt: number): void {
    this.stop();
    this.held = hold(accessToken, expiresAt);
    this.memory.impersonation = this.held && { accessToken, expiresAt };
    if (!this.held) return;
    this.timer = setTimeout(() => (this.end(), this.changed()), expiresAt - MARGIN_MS - Date.now());
  }

  end(): void {
    this.stop();
    this.held = null;
    this.memory.impersonation = null;
  }

  /** Lets go of what keeps a process alive. */
  stop(): void {
    clearTimeout(this.timer);
  }
}
