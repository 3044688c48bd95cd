import { Inject, Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { CookieOptions, Request, Response } from 'express';
import { tap } from 'rxjs';
import { SETTINGS, type Settings } from '../../config/settings';
import { cookieIn, sameSiteForLinks } from '../../http/access/cookies';
import { SignedCookies } from '../../http/access/signed-cookies';
import { DAY } from '../../platform/clock';
import { Ok } from '../../platform/result';
import { RegisteredView } from '../commands/register-user';

const NAME = 'registration';
const SECONDS = DAY;

/** What the signed cookie says: the registration that was made in this browser last. */
interface Registered {
  readonly registrationId: string;
}

/**
 * Which registration was made in this browser (contract section 11, Who set the password): a
 * verification there needs no password. With MAIL_LINKS=direct nobody asks for it, and it is not
 * set.
 */
@Injectable()
export class RegistrationCookie {
  private readonly isUsed: boolean;
  private readonly attributes: CookieOptions;

  constructor(
    private readonly signed: SignedCookies,
    @Inject(SETTINGS) { cookie, mail }: Settings,
  ) {
    this.isUsed = mail.links === 'confirm';
    this.attributes = {
      httpOnly: true,
      path: '/api/v1/auth',
      secure: cookie.secure,
      sameSite: sameSiteForLinks(cookie),
      maxAge: SECONDS * 1000,
    };
  }

  /**
   * The id of the registration that was made in this browser; undefined when there is none, or its
   * cookie was not made by this service.
   */
  read(request: Request): string | undefined {
    return this.signed.read<Registered>(NAME, cookieIn(request, NAME))?.registrationId;
  }

  set(response: Response, registrationId: string): void {
    const content: Registered = { registrationId };
    if (this.isUsed) response.cookie(NAME, this.signed.sign(NAME, content, SECONDS), this.attributes);
  }
}

/** Sets the cookie in the browser that registers. */
@Injectable()
export class SetRegistrationCookie implements NestInterceptor {
  constructor(private readonly cookie: RegistrationCookie) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>) {
    return next.handle().pipe(
      tap((outcome) => {
        if (!(outcome instanceof Ok && outcome.value instanceof RegisteredView)) return;
        this.cookie.set(context.switchToHttp().getResponse(), outcome.value.registrationId);
      }),
    );
  }
}
