import type { HostCookieOptions } from './host-cookies';
import type { Settings } from '../../config/settings';

/**
 * Attributes of a cookie that must be sent when a user follows a link from another site, such as
 * webmail. With COOKIE_SAME_SITE=none it must also be sent with requests of a web client on another
 * site.
 */
export const attributesForLinks = ({ secure, sameSite }: Settings['cookie'], path: string): HostCookieOptions => ({
  httpOnly: true,
  path,
  secure,
  sameSite: sameSite === 'none' ? 'none' : 'lax',
});
