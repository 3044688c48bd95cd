import { EXPIRY_MARGIN_MS, parseAccessToken, type AccessToken } from './access-token.js';
import type { SessionStorage } from './session-storage.js';

/**
 * An impersonation: an operator acts as a user, in this tab only, until the operator leaves it or
 * its token expires. It ends by a timer, so that the page never shows an impersonation that is
 * over.
 */
export class Impersonation {
  /** null if no impersonation is active. */
  token: AccessToken | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** @param onExpired called when the timer ends the impersonation */
  constructor(
    private readonly storage: SessionStorage,
    private readonly onExpired: () => void,
  ) {
    const stored = storage.impersonation;
    if (stored) this.begin(stored.accessToken, stored.expiresAt);
  }

  /** @param expiresAt milliseconds since 1970 */
  begin(accessToken: string, expiresAt: number): void {
    this.stopTimer();
    this.token = parseAccessToken(accessToken, expiresAt);
    this.storage.impersonation = this.token && { accessToken, expiresAt };
    if (!this.token) return;
    const expire = () => {
      this.end();
      this.onExpired();
    };
    this.timer = setTimeout(expire, expiresAt - EXPIRY_MARGIN_MS - Date.now());
  }

  end(): void {
    this.stopTimer();
    this.token = null;
    this.storage.impersonation = null;
  }

  /** A running timer keeps a Node process alive. */
  stopTimer(): void {
    clearTimeout(this.timer);
  }
}
