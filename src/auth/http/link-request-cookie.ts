import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SETTINGS, type Settings } from '../../config/settings';
import { attributesForLinks } from '../../http/access/link-cookie-attributes';
import { CookieSigner } from '../../http/access/cookie-signer';
import { HostCookies, type HostCookieOptions } from '../../http/access/host-cookies';
import { digestOf } from '../../platform/secret-token';
import { PURPOSES } from '../domain/one-time-token';

const NAME = 'link_request';
/** As long as the link. */
const SECONDS = PURPOSES['magic-link'].seconds;

/** The content of the signed cookie. */
interface LinkRequest {
  readonly browserId: string;
}

/**
 * Remembers the browser that asked for a sign-in link, in which the code of the email can be used
 * in place of the link. Only the hash of its random id is stored.
 */
@Injectable()
export class LinkRequestCookie {
  private readonly attributes: HostCookieOptions;

  constructor(
    private readonly cookieSigner: CookieSigner,
    private readonly cookies: HostCookies,
    @Inject(SETTINGS) { cookie }: Settings,
  ) {
    // sent when the link is opened from webmail, which uses up the code in this browser
    this.attributes = { ...attributesForLinks(cookie, '/api/v1/auth/magic-link'), maxAge: SECONDS * 1000 };
  }

  /** The hash of the browser's id; undefined if it asked for no link. */
  read(request: Request): Buffer | undefined {
    const id = this.idIn(request);
    return id === undefined ? undefined : digestOf(id);
  }

  /** Sets the cookie for another ten minutes. @returns the hash of the browser's id */
  set(request: Request, response: Response): Buffer {
    const browserId = this.idIn(request) ?? randomUUID();
    const content: LinkRequest = { browserId };
    this.cookies.set(response, NAME, this.cookieSigner.sign(NAME, content, SECONDS), this.attributes);
    return digestOf(browserId);
  }

  private idIn(request: Request): string | undefined {
    return this.cookieSigner.read<LinkRequest>(NAME, this.cookies.read(request, NAME))?.browserId;
  }
}
