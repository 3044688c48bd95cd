import { Inject, Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { parseCookie } from 'cookie';
import type { CookieOptions, Request, Response } from 'express';
import { tap } from 'rxjs';
import { SETTINGS, type Settings } from '../../config/settings';
import { Ok } from '../../platform/result';
import { REFRESH_TOKEN_SECONDS } from '../domain/session';
import { TokenPair } from '../token-pair';

const NAME = 'refresh_token';
/** A header of ours, which a page of another origin cannot send without being asked first: see `sessionOf`. */
const SESSION = 'x-session';

/** The refresh token as a cookie that scripts cannot read and that only the auth routes are sent (contract section 3). */
@Injectable()
export class RefreshCookie {
  private readonly attributes: CookieOptions;
  private readonly trustedOrigins: ReadonlySet<string>;

  constructor(@Inject(SETTINGS) settings: Settings) {
    this.attributes = { httpOnly: true, path: '/api/v1/auth', sameSite: settings.cookie.sameSite, secure: settings.cookie.secure };
    this.trustedOrigins = new Set([settings.frontendOrigin, new URL(settings.baseUrl).origin]);
  }

  /** The cookie's token; one that a page of another origin makes the browser send is not looked at. */
  read(request: Request): string | undefined {
    const { cookie } = request.headers;
    return cookie && this.isTrusted(request) ? parseCookie(cookie)[nameFor(request)] : undefined;
  }

  set(request: Request, response: Response, { refreshToken }: TokenPair): void {
    response.cookie(nameFor(request), refreshToken, { ...this.attributes, maxAge: REFRESH_TOKEN_SECONDS * 1000 });
  }

  /** Not for a page of another origin: it could sign people out. */
  clear(request: Request, response: Response): void {
    if (this.isTrusted(request)) response.clearCookie(nameFor(request), this.attributes);
  }

  private isTrusted({ headers: { origin } }: Request): boolean {
    return origin === undefined || this.trustedOrigins.has(origin);
  }
}

/**
 * A browser can hold several sessions side by side, so that a client that shares its host with another (the operators' panel with the web client) does not
 * sign people out there: `X-Session: panel` names the cookie refresh_token_panel. Without the header, and with one that is no short word, it is refresh_token.
 */
function nameFor({ headers }: Request): string {
  const session = headers[SESSION];
  return typeof session === 'string' && /^[a-z]{1,20}$/.test(session) ? `${NAME}_${session}` : NAME;
}

/** Sets the cookie whenever an operation hands out a token pair. */
@Injectable()
export class SetsRefreshCookie implements NestInterceptor {
  constructor(private readonly cookie: RefreshCookie) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>) {
    return next.handle().pipe(
      tap((outcome) => {
        const http = context.switchToHttp();
        if (outcome instanceof Ok && outcome.value instanceof TokenPair) this.cookie.set(http.getRequest(), http.getResponse(), outcome.value);
      }),
    );
  }
}
