import { Inject, Injectable, type NestMiddleware } from '@nestjs/common';
import type { CookieOptions, NextFunction, Request, Response } from 'express';
import { SETTINGS, type Settings } from '../../config/settings';
import { cookieIn, sameSiteForLinks } from '../../http/access/cookies';
import { REFRESH_TOKEN_SECONDS } from '../domain/session';

/** The name of the web client's session. */
export const WEB = 'web';
/**
 * Tells, where no header can be sent (mailed links, providers' redirects), that the web client of
 * this browser sends X-Session.
 */
const COOKIE = 'web_session';

/**
 * What a client says of its session by the header X-Session: which of a browser's sessions it is,
 * and that its refresh token is for the cookie alone. As middleware it notes in the browser that
 * the web client says so.
 */
@Injectable()
export class ClientSession implements NestMiddleware {
  private readonly attributes: CookieOptions;
  private readonly ownOrigin: string;
  private readonly trustedOrigins: ReadonlySet<string>;

  constructor(@Inject(SETTINGS) { baseUrl, frontendOrigin, cookie }: Settings) {
    const maxAge = REFRESH_TOKEN_SECONDS * 1000;
    this.attributes = {
      httpOnly: true,
      path: '/api/v1/auth',
      secure: cookie.secure,
      sameSite: sameSiteForLinks(cookie),
      maxAge,
    };
    this.ownOrigin = new URL(baseUrl).origin;
    this.trustedOrigins = new Set([frontendOrigin, this.ownOrigin]);
  }

  /** The name of the session; undefined without the header, and when it is no short word. */
  nameIn({ headers }: Request): string | undefined {
    const name = headers['x-session'];
    return typeof name === 'string' && /^[a-z]{1,20}$/.test(name) ? name : undefined;
  }

  /**
   * The web client's page has its own session only: a script that gets into it must not reach that
   * of an operator.
   */
  isTrusted(request: Request): boolean {
    const { origin } = request.headers;
    if (origin === undefined) return true;
    return (this.nameIn(request) ?? WEB) === WEB ? this.trustedOrigins.has(origin) : origin === this.ownOrigin;
  }

  /** Whether the answer must not show a refresh token. */
  isCookieOnly(request: Request): boolean {
    return this.nameIn(request) !== undefined || (request.method === 'GET' && cookieIn(request, COOKIE) !== undefined);
  }

  use(request: Request, response: Response, next: NextFunction): void {
    const isWeb = this.nameIn(request) === WEB || request.query.session === WEB;
    if (isWeb && this.isTrusted(request)) response.cookie(COOKIE, 'true', this.attributes);
    next();
  }
}
