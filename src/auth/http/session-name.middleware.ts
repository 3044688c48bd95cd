import { Inject, Injectable, type NestMiddleware } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { NextFunction, Request, Response } from 'express';
import { SETTINGS, type Settings } from '../../config/settings';
import { HostCookies, type HostCookieOptions } from '../../http/access/host-cookies';
import { attributesForLinks } from '../../http/access/link-cookie-attributes';
import { REFRESH_TOKEN_SECONDS } from '../domain/session';

/** Names the session of a browser. */
const HEADER = 'X-Session';
const RECEIVED = HEADER.toLowerCase();
const NAME_FORM = /^[a-z]{1,20}$/;
/** The session name of the web client. */
export const WEB = 'web';
/**
 * Set if the web client of this browser sends X-Session. It stands in for the header where none can
 * be sent: on emailed links and redirects of providers.
 */
const COOKIE = 'web_session';

/** Declares that what a route does with the session cookie depends on X-Session. */
export const UsesSessionName = () =>
  ApiHeader({
    name: HEADER,
    required: false,
    description:
      'Names the session of the browser: `web`, or `panel` for the cookie refresh_token_panel. The refresh token is ' +
      'then only in the cookie. With `web`, any response sets the cookie web_session too',
    schema: { type: 'string', pattern: NAME_FORM.source, example: WEB },
  });

/**
 * Reads the header X-Session: it names one of several sessions in a browser, and keeps the refresh
 * token out of response bodies. The middleware sets a cookie in the browser of a web client that
 * sends the header.
 */
@Injectable()
export class SessionName implements NestMiddleware {
  private readonly attributes: HostCookieOptions;
  private readonly ownOrigin: string;
  private readonly trustedOrigins: ReadonlySet<string>;

  constructor(
    private readonly cookies: HostCookies,
    @Inject(SETTINGS) { baseUrl, frontendOrigin, cookie }: Settings,
  ) {
    this.attributes = { ...attributesForLinks(cookie, '/api/v1/auth'), maxAge: REFRESH_TOKEN_SECONDS * 1000 };
    this.ownOrigin = new URL(baseUrl).origin;
    this.trustedOrigins = new Set([frontendOrigin, this.ownOrigin]);
  }

  /** The name of the session; undefined without the header, or if it is not a short word. */
  nameIn({ headers }: Request): string | undefined {
    const name = headers[RECEIVED];
    return typeof name === 'string' && NAME_FORM.test(name) ? name : undefined;
  }

  /**
   * Whether the origin of the request may use the session. The web client may only use its own one,
   * so that an injected script cannot reach the session of an operator.
   */
  isTrusted(request: Request): boolean {
    const { origin } = request.headers;
    if (origin === undefined) return true;
    return (this.nameIn(request) ?? WEB) === WEB ? this.trustedOrigins.has(origin) : origin === this.ownOrigin;
  }

  /** Whether the response must not contain a refresh token. */
  isCookieOnly(request: Request): boolean {
    return (
      this.nameIn(request) !== undefined ||
      (request.method === 'GET' && this.cookies.read(request, COOKIE) !== undefined)
    );
  }

  use(request: Request, response: Response, next: NextFunction): void {
    const isWeb = this.nameIn(request) === WEB || request.query.session === WEB;
    if (isWeb && this.isTrusted(request)) this.cookies.set(response, COOKIE, 'true', this.attributes);
    next();
  }
}
