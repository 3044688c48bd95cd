import { parseCookie } from 'cookie';
import type { Request } from 'express';

/**
 * The cookie with the accounts that have signed in with this browser; see
 * auth/services/known-devices.ts.
 */
export const DEVICE_COOKIE = 'device';

/**
 * The value of a cookie. A name that occurs twice is ignored, because a page on a neighboring host
 * can set a cookie with the same name (docs/contract.md, Headers).
 * @returns undefined when the cookie is missing or occurs twice
 */
export function cookieIn(request: Pick<Request, 'headers'>, name: string): string | undefined {
  const times = cookieNames(request).filter((sent) => sent === name).length;
  return times === 1 ? parseCookie(request.headers.cookie!)[name] : undefined;
}

/** The names of the cookies, as often as they occur. */
export function cookieNames({ headers: { cookie } }: Pick<Request, 'headers'>): string[] {
  return cookie?.split(';').map((pair) => pair.split('=', 1)[0].trim()) ?? [];
}
