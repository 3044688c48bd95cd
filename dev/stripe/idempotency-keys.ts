import { createHash } from 'node:crypto';
import { StripeError } from './stripe-error';

/** A stored response. */
export interface Answer {
  readonly status: number;
  readonly body: string;
}

const KEPT_SECONDS = 24 * 60 * 60;

/**
 * Stores the response of each request with an idempotency key for one day, so that a repeated
 * request changes nothing.
 */
export class IdempotencyKeys {
  private readonly entries = new Map<string, { fingerprint: string; at: number; answer?: Answer }>();

  /** @param params as received
   * @returns the stored response. Without one, the key is reserved until `finish` or `release`
   */
  begin(key: string, path: string, params: string, at: number): Answer | undefined {
    this.forget(at);
    const fingerprint = createHash('sha256').update(`${path}\n${params}`).digest('base64url');
    const known = this.entries.get(key);
    if (known && known.fingerprint !== fingerprint) {
      const message =
        'Keys for idempotent requests can only be used with the same parameters they were first used with. ' +
        `Try using a key other than '${key}' if you meant to execute a different request.`;
      throw new StripeError(message, { type: 'idempotency_error' });
    }
    if (known && !known.answer) {
      const message =
        'There is currently another in-progress request using this Idempotent Key (that probably means you ' +
        `submitted twice, and the other request is still going through): ${key}.`;
      throw new StripeError(message, { type: 'idempotency_error', code: 'idempotency_key_in_use', status: 409 });
    }
    if (!known) this.entries.set(key, { fingerprint, at });
    return known?.answer;
  }

  finish(key: string, answer: Answer): void {
    const entry = this.entries.get(key);
    if (entry) entry.answer = answer;
  }

  /** Frees a key whose request may be repeated: after a validation error, 429 or 5xx. */
  release(key: string): void {
    this.entries.delete(key);
  }

  private forget(now: number): void {
    for (const [key, { at }] of this.entries) {
      if (at > now - KEPT_SECONDS) break; // entries are in order of time
      this.entries.delete(key);
    }
  }
}
