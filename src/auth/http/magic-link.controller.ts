import { Body, Controller, Get, Post, Query, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { DigitCodeField } from '../../factors/factors.api';
import { Public } from '../../http/access/access.decorators';
import { StoresAnswer } from '../../http/idempotency/answer-storage.decorator';
import { Responds, SetsCookie } from '../../http/openapi/openapi-responses.decorator';
import { GuardAgainstPrefetch } from '../../http/requests/prefetch-guard.interceptor';
import { EmailBody } from '../../http/validation/email-body';
import { TokenBody } from '../../http/validation/token-body';
import { TokenField } from '../../http/validation/secret-field.decorators';
import { UserFailures } from '../../users/users.api';
import { AuthFailures } from '../auth.failures';
import { RequestEmailLink } from '../commands/request-email-link';
import { SignInByEmailCode } from '../commands/sign-in-by-email-code';
import { SignInByMagicLink } from '../commands/sign-in-by-magic-link';
import { redirectBrowser } from './browser-redirect.interceptor';
import { confirmLink } from './link-confirmation.interceptor';
import { LinkRequestCookie } from './link-request-cookie';
import { IssuesSession } from './session-cookie.interceptor';
import { UsesSessionName } from './session-name.middleware';
import { SignInView, TICKET_IN_FRAGMENT } from './views/token.views';

class MagicLinkQuery {
  @TokenField() token!: string;
}

class SignInByEmailCodeBody extends EmailBody {
  @DigitCodeField() code!: string;
}

const FAILURES = [AuthFailures.magicLinkInvalid, AuthFailures.magicLinkExpired, UserFailures.accountDisabled];

/** Sign-in with an emailed link. */
@ApiTags('passwordless')
@Controller('auth/magic-link')
export class MagicLinkController {
  constructor(
    private readonly commands: CommandBus,
    private readonly cookie: LinkRequestCookie,
  ) {}

  @Post('request')
  @StoresAnswer('never')
  @Public()
  @SetsCookie()
  @UsesSessionName()
  @Responds({
    summary: 'Send a sign-in link',
    description:
      'The response is the same for every address. The email also has a code for this browser, which gets the ' +
      'cookie `link_request`.',
    data: null,
  })
  requestMagicLink(@Body() body: EmailBody, @Req() request: Request, @Res({ passthrough: true }) response: Response) {
    return this.commands.execute(new RequestEmailLink(body.email, 'magic-link', this.cookie.set(request, response)));
  }

  @Post('code')
  @StoresAnswer('never')
  @Public()
  @IssuesSession()
  @Responds({
    summary: 'Sign in with the code of an emailed link',
    description:
      'Works only in the browser that requested the link, also after the link was used in another one. ' +
      'Five attempts per link.',
    data: SignInView,
    failures: [AuthFailures.emailCodeInvalid, AuthFailures.tooManyAttempts, UserFailures.accountDisabled],
  })
  signInByEmailCode(@Body() { email, code }: SignInByEmailCodeBody, @Req() request: Request) {
    return this.commands.execute(new SignInByEmailCode(email, code, this.cookie.read(request)));
  }

  @Get('verify')
  @Public()
  @IssuesSession(confirmLink('magic-link'), redirectBrowser({ success: 'anyone', failure: 'navigation' }))
  @GuardAgainstPrefetch()
  @Responds({
    summary: 'Sign in with an emailed link',
    description:
      'The link works once and expires after 10 minutes. Browsers receive failures as #error in the fragment.',
    redirects:
      'To the web client, with #accessToken, #refreshToken (unless only the cookie has it) and #expiresIn. ' +
      `${TICKET_IN_FRAGMENT} If another user is signed in, to the page /sign-in with #token, which is not consumed.`,
    failures: FAILURES,
  })
  signInByMagicLink(@Query() query: MagicLinkQuery, @Req() request: Request) {
    return this.commands.execute(new SignInByMagicLink(query.token, this.cookie.read(request)));
  }

  @Post('verify')
  @StoresAnswer('never')
  @Public()
  @IssuesSession()
  @Responds({
    summary: 'Sign in with an emailed link from a page of the web client',
    description: 'Used with MAIL_LINKS=confirm, so that programs that open links do not use up the token.',
    data: SignInView,
    failures: FAILURES,
  })
  confirmMagicLink(@Body() body: TokenBody, @Req() request: Request) {
    return this.commands.execute(new SignInByMagicLink(body.token, this.cookie.read(request)));
  }
}
