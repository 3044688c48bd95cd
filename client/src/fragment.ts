import type { ErrorCode } from './answer.js';

/**
 * What the service told the web client in the fragment of the address (`#accessToken=…`,
 * `#error=…`, `#token=…`).
 */
export interface Told {
  readonly accessToken?: string;
  readonly refreshToken?: string;
  /** Seconds that the access token lives. */
  readonly expiresIn?: number;
  /** Why signing in did not work. */
  readonly error?: ErrorCode;
  /** The one-time token of a mailed link: an invitation, a password reset, or "this was not me". */
  readonly token?: string;
}

/** The part of a window that is needed, so that it can be tried without one. */
export interface Place {
  readonly location: Pick<Location, 'hash' | 'pathname' | 'search'>;
  readonly history: Pick<History, 'replaceState' | 'state'>;
}

/**
 * Takes what the fragment tells and removes it at once from the address and the history: neither a
 * reload, a shared link, nor a script that comes later finds it. Call it before anything else looks
 * at the address.
 */
export function takeFragment({ location, history }: Place = window): Told {
  const { hash, pathname, search } = location;
  const told = new URLSearchParams(hash.slice(1));
  if (!['accessToken', 'error', 'token'].some((name) => told.has(name))) return {};
  history.replaceState(history.state, '', pathname + search);
  const { expiresIn, ...texts } = Object.fromEntries(told) as Record<string, string>;
  return { ...texts, ...(expiresIn === undefined ? {} : { expiresIn: Number(expiresIn) }) };
}
