import { Inject, Injectable } from '@nestjs/common';
import type { CookieOptions, Request, Response } from 'express';
import { SETTINGS, type Settings } from '../../config/settings';
import { cookieIn, sameSiteForLinks } from '../../http/access/cookies';
import { SignedCookies } from '../../http/access/signed-cookies';
import { accountDigest } from '../services/account-digest';
import { REFRESH_TOKEN_SECONDS } from '../domain/session';

const NAME = 'signed_in';

/** What the signed cookie says. */
interface SignedIn {
  /** The digest of the account whose session this browser holds. */
  readonly account: string;
}

/**
 * Whose session a browser holds, told also when a person comes by a link from another site: the
 * refresh cookie is not sent then (SameSite=Strict). It lets nobody in. Finding F16: a link that
 * somebody else has mailed must not replace the session unasked.
 */
@Injectable()
export class SignedInCookie {
  private readonly attributes: CookieOptions;

  constructor(
    private readonly signed: SignedCookies,
    @Inject(SETTINGS) { cookie }: Settings,
  ) {
    this.attributes = {
      httpOnly: true,
      path: '/api/v1/auth',
      secure: cookie.secure,
      sameSite: sameSiteForLinks(cookie),
    };
  }

  /** Whether this browser holds the session of anybody. */
  isSet(request: Request): boolean {
    return this.read(request) !== undefined;
  }

  /** Whether this browser holds the session of somebody else than this person. */
  namesAnother(request: Request, userId: string): boolean {
    const signedIn = this.read(request);
    return signedIn !== undefined && signedIn.account !== accountDigest(userId);
  }

  set(response: Response, userId: string): void {
    const content: SignedIn = { account: accountDigest(userId) };
    const value = this.signed.sign(NAME, content, REFRESH_TOKEN_SECONDS);
    response.cookie(NAME, value, { ...this.attributes, maxAge: REFRESH_TOKEN_SECONDS * 1000 });
  }

  clear(response: Response): void {
    response.clearCookie(NAME, this.attributes);
  }

  private read(request: Request): SignedIn | undefined {
    return this.signed.read<SignedIn>(NAME, cookieIn(request, NAME));
  }
}
