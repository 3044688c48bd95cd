import { Inject, Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { CookieOptions, Request, Response } from 'express';
import { tap } from 'rxjs';
import { SETTINGS, type Settings } from '../../config/settings';
import { cookieIn } from '../../edge/cookies';
import { Ok } from '../../platform/result';
import { REFRESH_TOKEN_SECONDS } from '../domain/session';
import { KnownDevices } from '../known-devices';
import { TokenPair } from '../token-pair';
import { SignedInCookie } from './signed-in-cookie';

const NAME = 'refresh_token';
/** Which of a browser's sessions is meant: see `nameFor`. */
const SESSION = 'x-session';

/** The refresh token as a cookie that scripts cannot read and that only the auth routes are sent (contract section 3). */
@Injectable()
export class RefreshCookie {
  private readonly attributes: CookieOptions;
  private readonly ownOrigin: string;
  private readonly trustedOrigins: ReadonlySet<string>;

  constructor(
    private readonly signedIn: SignedInCookie,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.attributes = { httpOnly: true, path: '/api/v1/auth', sameSite: settings.cookie.sameSite, secure: settings.cookie.secure };
    this.ownOrigin = new URL(settings.baseUrl).origin;
    this.trustedOrigins = new Set([settings.frontendOrigin, this.ownOrigin]);
  }

  /** The cookie's token; one that a page of another origin makes the browser send is not looked at. */
  read(request: Request): string | undefined {
    return this.isTrusted(request) ? cookieIn(request, nameFor(request)) : undefined;
  }

  /** @returns false where it was not set: a page of another origin asked for a session that is not its own */
  set(request: Request, response: Response, { refreshToken, userId }: TokenPair): boolean {
    if (nameFor(request) !== NAME && !this.isTrusted(request)) return false;
    response.cookie(nameFor(request), refreshToken, { ...this.attributes, maxAge: REFRESH_TOKEN_SECONDS * 1000 });
    if (nameFor(request) === NAME) this.signedIn.set(response, userId); // mailed links sign in without a name
    return true;
  }

  /** Not for a page of another origin: it could sign people out. */
  clear(request: Request, response: Response): void {
    if (!this.isTrusted(request)) return;
    response.clearCookie(nameFor(request), this.attributes);
    if (nameFor(request) === NAME) this.signedIn.clear(response);
  }

  /** The web client's page has its own session only: a script that gets into it must not reach that of an operator. */
  private isTrusted(request: Request): boolean {
    const { origin } = request.headers;
    if (origin === undefined) return true;
    return nameFor(request) === NAME ? this.trustedOrigins.has(origin) : origin === this.ownOrigin;
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

/** Sets the cookie whenever an operation hands out a token pair; the browser that signs in becomes a known device. */
@Injectable()
export class SetsRefreshCookie implements NestInterceptor {
  constructor(
    private readonly cookie: RefreshCookie,
    private readonly devices: KnownDevices,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>) {
    return next.handle().pipe(
      tap((outcome) => {
        if (!(outcome instanceof Ok && outcome.value instanceof TokenPair)) return;
        const http = context.switchToHttp();
        const pair = outcome.value;
        const isSet = this.cookie.set(http.getRequest(), http.getResponse(), pair);
        if (isSet && pair.signedInId) this.devices.remember(http.getResponse(), pair.signedInId);
      }),
    );
  }
}
