import { claimsOf, type Claims } from './claims.js';

/** An access token that the client keeps in memory. */
export interface AccessToken {
  readonly accessToken: string;
  readonly claims: Claims;
  /** Milliseconds since 1970, by the clock of this machine. */
  readonly expiresAt: number;
}

/** A token counts as expired this long before its end, so that a request still arrives in time. */
export const EXPIRY_MARGIN_MS = 10_000;

/** @returns null if the text is not a JWT */
export function parseAccessToken(accessToken: string, expiresAt: number): AccessToken | null {
  const claims = claimsOf(accessToken);
  return claims ? { accessToken, claims, expiresAt } : null;
}

/** @returns the token, or null if it has expired */
export function unexpired(token: AccessToken | null): AccessToken | null {
  return token && token.expiresAt - EXPIRY_MARGIN_MS > Date.now() ? token : null;
}
