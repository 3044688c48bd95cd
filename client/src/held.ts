import { claimsOf, type Claims } from './claims.js';

/** An access token as a client holds it. */
export interface Held {
  readonly accessToken: string;
  readonly claims: Claims;
  /** By this machine's clock, milliseconds since 1970. */
  readonly expiresAt: number;
}

/** So long before its end a token is not used any more: it has to arrive, too. */
export const MARGIN_MS = 10_000;

/** @returns null for what is no token */
export function hold(accessToken: string, expiresAt: number): Held | null {
  const claims = claimsOf(accessToken);
  return claims ? { accessToken, claims, expiresAt } : null;
}

/** The token, while it can be used. */
export function live(held: Held | null): Held | null {
  return held && held.expiresAt - MARGIN_MS > Date.now() ? held : null;
}
