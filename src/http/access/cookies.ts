import { parseCookie } from 'cookie';
import type { Request } from 'express';
import type { Settings } from '../../config/settings';

/**
 * The cookie that names the accounts that have signed in with this browser;
 * auth/services/known-devices.ts makes and reads it.
 */
export const DEVICE_COOKIE = 'device';

/**
 * SameSite of a cookie that must be there when a person comes from another site by a link, as from
 * a web mail. Where the web client itself is on another site (COOKIE_SAME_SITE=none), it must be
 * there for the client's requests too.
 */
export const sameSiteForLinks = ({ sameSite }: Settings['cookie']) => (sameSite === 'none' ? 'none' : 'lax');

/**
 * The value of a cookie of the request. A name that is given twice is ignored: a page of a
 * neighbouring host can add a cookie of the same name, and nobody can tell which of the two is ours
 * (docs/contract.md, Headers).
 * @returns undefined when the cookie is missing or given more than once
 */
export function cookieIn({ headers }: Pick<Request, 'headers'>, name: string): string | undefined {
  const { cookie } = headers;
  if (!cookie) return undefined;
  const times = cookie.split(';').filter((pair) => pair.split('=', 1)[0].trim() === name).length;
  return times === 1 ? parseCookie(cookie)[name] : undefined;
}
