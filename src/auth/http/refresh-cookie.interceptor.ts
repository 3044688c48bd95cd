import { Inject, Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { CookieOptions, Request, Response } from 'express';
import { map } from 'rxjs';
import { SETTINGS, type Settings } from '../../config/settings';
import { cookieIn } from '../../http/access/cookies';
import { Ok, ok } from '../../platform/result';
import { REFRESH_TOKEN_SECONDS } from '../domain/session';
import { KnownDevices } from '../services/known-devices';
import { AccessTokenView, TokenPair } from '../domain/token-pair';
import { ClientSession, WEB } from './client-session.middleware';
import { SignedInCookie } from './signed-in-cookie';

const NAME = 'refresh_token';
/**
 * Before a token that no answer shows: whoever refreshes by such a cookie without X-Session, as a
 * script in the page could, is not shown the next one.
 */
const HIDDEN = 'hidden.';

/**
 * The refresh token as a cookie that scripts cannot read and that only the auth routes are sent
 * (contract section 3).
 */
@Injectable()
export class RefreshCookie {
  private readonly attributes: CookieOptions;

  constructor(
    private readonly sessions: ClientSession,
    private readonly signedIn: SignedInCookie,
    @Inject(SETTINGS) { cookie }: Settings,
  ) {
    this.attributes = { httpOnly: true, path: '/api/v1/auth', sameSite: cookie.sameSite, secure: cookie.secure };
  }

  /**
   * The cookie's token; one that a page of another origin makes the browser send is not looked at.
   */
  read(request: Request): string | undefined {
    const value = this.valueIn(request);
    return value?.startsWith(HIDDEN) ? value.slice(HIDDEN.length) : value;
  }

  /**
   * @param isHidden whether no answer shows the token
   * @returns false where it was not set: a page of another origin asked for a session that is not
   * its own
   */
  set(request: Request, response: Response, { refreshToken, userId }: TokenPair, isHidden: boolean): boolean {
    if (this.sessions.nameIn(request) && !this.sessions.isTrusted(request)) return false;
    const name = this.nameFor(request);
    response.cookie(name, isHidden ? HIDDEN + refreshToken : refreshToken, {
      ...this.attributes,
      maxAge: REFRESH_TOKEN_SECONDS * 1000,
    });
    if (name === NAME) this.signedIn.set(response, userId); // mailed links sign in without a name
    return true;
  }

  /** Not for a page of another origin: it could sign people out. */
  clear(request: Request, response: Response): void {
    if (!this.sessions.isTrusted(request)) return;
    const name = this.nameFor(request);
    response.clearCookie(name, this.attributes);
    if (name === NAME) this.signedIn.clear(response);
  }

  /**
   * Whether the answer must leave the refresh token to the cookie: X-Session asks for it, or the
   * token that is spent was hidden.
   */
  hides(request: Request, { signedInId }: TokenPair): boolean {
    if (this.sessions.isCookieOnly(request)) return true;
    const { refreshToken } = (request.body ?? {}) as { refreshToken?: unknown };
    return !signedInId && !refreshToken && (this.valueIn(request)?.startsWith(HIDDEN) ?? false);
  }

  private valueIn(request: Request): string | undefined {
    return this.sessions.isTrusted(request) ? cookieIn(request, this.nameFor(request)) : undefined;
  }

  /**
   * A browser can hold several sessions side by side, so that a client that shares its host with
   * another (the operators' panel with the web client) does not sign people out there: `X-Session:
   * panel` names the cookie refresh_token_panel. With `web`, without the header, and with one that
   * is no short word, it is refresh_token.
   */
  private nameFor(request: Request): string {
    const name = this.sessions.nameIn(request) ?? WEB;
    return name === WEB ? NAME : `${NAME}_${name}`;
  }
}

/**
 * Sets the cookie whenever an operation hands out a token pair; the browser that signs in becomes a
 * known device.
 */
@Injectable()
export class SetRefreshCookie implements NestInterceptor {
  constructor(
    private readonly cookie: RefreshCookie,
    private readonly devices: KnownDevices,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>) {
    return next.handle().pipe(
      map((outcome) => {
        if (!(outcome instanceof Ok && outcome.value instanceof TokenPair)) return outcome;
        const [request, response] = [
          context.switchToHttp().getRequest<Request>(),
          context.switchToHttp().getResponse<Response>(),
        ];
        const pair = outcome.value;
        const isHidden = this.cookie.hides(request, pair);
        const isSet = this.cookie.set(request, response, pair, isHidden);
        if (isSet && pair.signedInId) this.devices.remember(response, pair.signedInId);
        return isHidden ? ok(new AccessTokenView(pair.accessToken)) : outcome;
      }),
    );
  }
}
