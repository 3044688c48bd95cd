import type { ErrorCode } from './api-answer.js';

/**
 * The parameters that a redirect of the service puts into the fragment of the address
 * (`#accessToken=…`, `#error=…`, `#token=…`).
 */
export interface FragmentParams {
  readonly accessToken?: string;
  readonly refreshToken?: string;
  /** Lifetime of the access token in seconds. */
  readonly expiresIn?: number;
  /** Why the sign-in failed. */
  readonly error?: ErrorCode;
  /** The one-time token of a mailed link, such as an invitation or a password reset. */
  readonly token?: string;
}

/** The parts of a window that `takeFragment` uses. */
export interface BrowserWindow {
  readonly location: Pick<Location, 'hash' | 'pathname' | 'search'>;
  readonly history: Pick<History, 'replaceState' | 'state'>;
}

/**
 * Reads the parameters in the fragment and removes them from the address and the history, so that a
 * reload, a shared link or a script that runs later does not find them. Call it before any other
 * code reads the address. A fragment of another kind is left alone.
 */
export function takeFragment({ location, history }: BrowserWindow = window): FragmentParams {
  const { hash, pathname, search } = location;
  const params = new URLSearchParams(hash.slice(1));
  if (!['accessToken', 'error', 'token'].some((name) => params.has(name))) return {};
  history.replaceState(history.state, '', pathname + search);
  const { expiresIn, ...texts } = Object.fromEntries(params) as Record<string, string>;
  return { ...texts, ...(expiresIn === undefined ? {} : { expiresIn: Number(expiresIn) }) };
}
