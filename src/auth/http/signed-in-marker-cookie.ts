import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SETTINGS, type Settings } from '../../config/settings';
import { attributesForLinks } from '../../http/access/link-cookie-attributes';
import { CookieSigner } from '../../http/access/cookie-signer';
import { HostCookies, type HostCookieOptions } from '../../http/access/host-cookies';
import { REFRESH_TOKEN_SECONDS } from '../domain/session';
import { accountCookieId } from '../services/account-cookie-id';

const NAME = 'signed_in';

/** The content of the signed cookie. */
interface SignedIn {
  /** The cookie id of the account that is signed in. */
  readonly account: string;
}

/**
 * Names the account that is signed in in this browser, also on requests that come from another
 * site, which do not carry the session cookie (SameSite=Strict). It grants no access. It is needed
 * because a link that a stranger sent must not replace the session without confirmation.
 */
@Injectable()
export class SignedInMarkerCookie {
  private readonly attributes: HostCookieOptions;

  constructor(
    private readonly cookieSigner: CookieSigner,
    private readonly cookies: HostCookies,
    @Inject(SETTINGS) { cookie }: Settings,
  ) {
    this.attributes = attributesForLinks(cookie, '/api/v1/auth');
  }

  /** Whether a user is signed in in this browser. */
  isSet(request: Request): boolean {
    return this.read(request) !== undefined;
  }

  /** Whether a user other than this one is signed in in this browser. */
  namesAnother(request: Request, userId: string): boolean {
    const signedIn = this.read(request);
    return signedIn !== undefined && signedIn.account !== accountCookieId(userId);
  }

  set(response: Response, userId: string): void {
    const content: SignedIn = { account: accountCookieId(userId) };
    const value = this.cookieSigner.sign(NAME, content, REFRESH_TOKEN_SECONDS);
    this.cookies.set(response, NAME, value, { ...this.attributes, maxAge: REFRESH_TOKEN_SECONDS * 1000 });
  }

  clear(response: Response): void {
    this.cookies.clear(response, NAME, this.attributes);
  }

  private read(request: Request): SignedIn | undefined {
    return this.cookieSigner.read<SignedIn>(NAME, this.cookies.read(request, NAME));
  }
}
