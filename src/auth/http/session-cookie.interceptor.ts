import {
  applyDecorators,
  Inject,
  Injectable,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { map } from 'rxjs';
import { SETTINGS, type Settings } from '../../config/settings';
import { HostCookies, type HostCookieOptions } from '../../http/access/host-cookies';
import { SetsCookie } from '../../http/openapi/openapi-responses.decorator';
import { Ok, ok } from '../../platform/result';
import { SecondFactorNeeded } from '../domain/second-factor-needed';
import { REFRESH_TOKEN_SECONDS } from '../domain/session';
import { TokenPair } from '../domain/token-pair';
import { KnownDevices } from '../services/known-devices';
import { SessionName, UsesSessionName, WEB } from './session-name.middleware';
import { SignedInMarkerCookie } from './signed-in-marker-cookie';

const NAME = 'refresh_token';
/**
 * Prefix of a token that must not appear in a response body. A refresh with such a cookie hides the
 * next token too, even without X-Session, because a script in the page could leave the header out.
 */
const HIDDEN_PREFIX = 'hidden.';

/**
 * The session cookie: HttpOnly, with the refresh token, read by the auth routes only
 * (docs/contract.md, Token pair).
 */
@Injectable()
export class SessionCookie {
  private readonly attributes: HostCookieOptions;

  constructor(
    private readonly sessionName: SessionName,
    private readonly cookies: HostCookies,
    private readonly signedIn: SignedInMarkerCookie,
    @Inject(SETTINGS) { cookie }: Settings,
  ) {
    this.attributes = { httpOnly: true, path: '/api/v1/auth', sameSite: cookie.sameSite, secure: cookie.secure };
  }

  /** The token in the cookie. The cookie is ignored on requests of an untrusted origin. */
  read(request: Request): string | undefined {
    const value = this.valueIn(request);
    return value?.startsWith(HIDDEN_PREFIX) ? value.slice(HIDDEN_PREFIX.length) : value;
  }

  /**
   * @param isHidden whether the token must not appear in response bodies
   * @returns false if it was not set, because the origin may not use the session
   */
  set(request: Request, response: Response, pair: TokenPair, isHidden: boolean): boolean {
    if (this.sessionName.nameIn(request) && !this.sessionName.isTrusted(request)) return false;
    const { refreshToken, userId, signedInUserId } = pair;
    const name = this.nameFor(request);
    this.cookies.set(response, name, isHidden ? HIDDEN_PREFIX + refreshToken : refreshToken, {
      ...this.attributes,
      maxAge: REFRESH_TOKEN_SECONDS * 1000,
    });
    // A client that refreshes without any cookie keeps none.
    const needsMarker = signedInUserId !== undefined || request.headers.cookie !== undefined;
    // Emailed links sign in without a session name.
    if (needsMarker && name === NAME) this.signedIn.set(response, userId);
    return true;
  }

  /** Ignores requests of an untrusted origin, which could otherwise sign users out. */
  clear(request: Request, response: Response): void {
    if (!this.sessionName.isTrusted(request)) return;
    const name = this.nameFor(request);
    this.cookies.clear(response, name, this.attributes);
    if (name === NAME) this.signedIn.clear(response);
  }

  /**
   * Whether the refresh token must not appear in the response body: X-Session was sent, or the
   * token that was exchanged was hidden.
   */
  hides(request: Request, { signedInUserId }: TokenPair): boolean {
    if (this.sessionName.isCookieOnly(request)) return true;
    const { refreshToken } = (request.body ?? {}) as { refreshToken?: unknown };
    return !signedInUserId && !refreshToken && (this.valueIn(request)?.startsWith(HIDDEN_PREFIX) ?? false);
  }

  private valueIn(request: Request): string | undefined {
    return this.sessionName.isTrusted(request) ? this.cookies.read(request, this.nameFor(request)) : undefined;
  }

  /**
   * The operator panel shares its host with the web client, so a browser can hold several sessions:
   * `X-Session: panel` uses the cookie refresh_token_panel. With `web`, without the header, or if
   * it is not a short word, the cookie is refresh_token.
   */
  private nameFor(request: Request): string {
    const name = this.sessionName.nameIn(request) ?? WEB;
    return name === WEB ? NAME : `${NAME}_${name}`;
  }
}

/**
 * Sets the session cookie for every issued token pair, and makes the browser of a sign-in a known
 * device. A browser that needs a second factor gets a new id, under which it can be trusted.
 */
@Injectable()
class SetSessionCookie implements NestInterceptor {
  constructor(
    private readonly cookie: SessionCookie,
    private readonly devices: KnownDevices,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>) {
    return next.handle().pipe(
      map((outcome) => {
        const response = context.switchToHttp().getResponse<Response>();
        if (outcome instanceof Ok && outcome.value instanceof SecondFactorNeeded) this.devices.renew(response);
        if (!(outcome instanceof Ok && outcome.value instanceof TokenPair)) return outcome;
        const request = context.switchToHttp().getRequest<Request>();
        const pair = outcome.value;
        const isHidden = this.cookie.hides(request, pair);
        const isSet = this.cookie.set(request, response, pair, isHidden);
        if (isSet && pair.signedInUserId) this.devices.remember(response, pair.signedInUserId, pair.isProven);
        return isHidden ? ok(pair.withoutRefreshToken()) : outcome;
      }),
    );
  }
}

/**
 * For routes that sign in: sets the session cookie, as X-Session says.
 * @param around interceptors that see the response afterwards, the outermost first
 */
export const IssuesSession = (...around: Type<NestInterceptor>[]) =>
  applyDecorators(UseInterceptors(...around, SetSessionCookie), SetsCookie(), UsesSessionName());
