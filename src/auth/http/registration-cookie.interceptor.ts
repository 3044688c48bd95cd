import {
  applyDecorators,
  Inject,
  Injectable,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { tap } from 'rxjs';
import { SETTINGS, type Settings } from '../../config/settings';
import { attributesForLinks } from '../../http/access/link-cookie-attributes';
import { CookieSigner } from '../../http/access/cookie-signer';
import { HostCookies, type HostCookieOptions } from '../../http/access/host-cookies';
import { DAY } from '../../platform/clock';
import { SetsCookie } from '../../http/openapi/openapi-responses.decorator';
import { Ok } from '../../platform/result';
import { RegisteredUser } from '../commands/register-user';

const NAME = 'registration';
const SECONDS = DAY;

/** The content of the signed cookie: the last registration that was made in this browser. */
interface RegistrationContent {
  readonly registrationId: string;
}

/**
 * Remembers which registration was made in this browser: a verification in it proves the password,
 * and needs none with MAIL_LINKS=confirm (docs/contract.md, Registration and verification).
 */
@Injectable()
export class RegistrationCookie {
  private readonly attributes: HostCookieOptions;

  constructor(
    private readonly cookieSigner: CookieSigner,
    private readonly cookies: HostCookies,
    @Inject(SETTINGS) { cookie }: Settings,
  ) {
    this.attributes = { ...attributesForLinks(cookie, '/api/v1/auth'), maxAge: SECONDS * 1000 };
  }

  /** The id of the registration; undefined without the cookie, or if its signature is invalid. */
  read(request: Request): string | undefined {
    return this.cookieSigner.read<RegistrationContent>(NAME, this.cookies.read(request, NAME))?.registrationId;
  }

  set(response: Response, registrationId: string): void {
    const content: RegistrationContent = { registrationId };
    this.cookies.set(response, NAME, this.cookieSigner.sign(NAME, content, SECONDS), this.attributes);
  }
}

/** Sets the cookie after a registration. */
@Injectable()
class SetRegistrationCookie implements NestInterceptor {
  constructor(private readonly cookie: RegistrationCookie) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>) {
    return next.handle().pipe(
      tap((outcome) => {
        if (!(outcome instanceof Ok && outcome.value instanceof RegisteredUser)) return;
        this.cookie.set(context.switchToHttp().getResponse(), outcome.value.registrationId);
      }),
    );
  }
}

/** For the route that registers. */
export const RemembersRegistration = () => applyDecorators(UseInterceptors(SetRegistrationCookie), SetsCookie());
