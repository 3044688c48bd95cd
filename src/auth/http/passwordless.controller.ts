import { applyDecorators, Body, Controller, Get, Post, Query, UseInterceptors } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiQuery, ApiTags } from '@nestjs/swagger';
import { Public } from '../../http/access/access.guard';
import { EmailField, TokenField } from '../../http/validation/field.decorators';
import { GuardAgainstPrefetch } from '../../http/requests/prefetch-guard.interceptor';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import type { Result } from '../../platform/result';
import { UserFailures } from '../../users/users.api';
import { AuthFailures } from '../auth.failures';
import { RequestLinkMail } from '../commands/request-link-mail';
import { SignInByMagicLink } from '../commands/sign-in-by-magic-link';
import { SignInByProvider } from '../commands/sign-in-by-provider';
import { Recognised, ReturnFromProvider, RedirectToProvider } from '../providers/provider.guard';
import type { ProviderProfile } from '../providers/provider-profile';
import { TokenPair } from '../domain/token-pair';
import { confirmLink } from './link-confirmation.interceptor';
import { SetRefreshCookie } from './refresh-cookie.interceptor';
import { redirectBrowser } from './browser-redirect.interceptor';

class RequestMagicLinkBody {
  @EmailField() email!: string;
}

class MagicLinkBody {
  @TokenField() token!: string;
}

class MagicLinkQuery {
  @TokenField() token!: string;
}

const ToProvider = (name: string) =>
  applyDecorators(
    ApiQuery({
      name: 'session',
      required: false,
      enum: ['web'],
      description: 'What X-Session says elsewhere: the refresh token is left to the cookie',
    }),
    Responds({
      summary: `Sign in with ${name}`,
      description: 'Open it in the browser: it goes to the provider, and comes back to the web client with tokens.',
      redirects: `To ${name}`,
      failures: [AuthFailures.providerNotConfigured],
    }),
  );

const FAILED_THERE = [
  AuthFailures.providerDenied,
  AuthFailures.providerStateInvalid,
  AuthFailures.providerEmailUnverified,
  AuthFailures.providerFailed,
  UserFailures.accountDisabled,
];

const FromProvider = (name: string) =>
  applyDecorators(
    ApiQuery({
      name: 'code',
      required: false,
      type: String,
      description: 'What the provider gives for its answer to be fetched with',
    }),
    ApiQuery({
      name: 'state',
      required: false,
      type: String,
      description: 'What the sign-in was begun with in this browser',
    }),
    ApiQuery({ name: 'error', required: false, type: String, description: 'Why there is no code' }),
    Responds({
      summary: `Where ${name} sends the browser back to`,
      description: `The web client finds #accessToken, #refreshToken (unless it is left to the cookie) and #expiresIn, or #error: ${FAILED_THERE.map(({ code }) => code).join(', ')}.`,
      redirects: 'To the web client, the outcome in the fragment',
      redirectFailures: FAILED_THERE,
      failures: [AuthFailures.providerNotConfigured],
    }),
  );

const GoesOn = () => UseInterceptors(redirectBrowser({ success: 'anyone', failure: 'anyone' }), SetRefreshCookie);

/** Ways in without a password: over an identity provider, or by a mailed link. */
@ApiTags('passwordless')
@Controller('auth')
export class PasswordlessController {
  constructor(private readonly commands: CommandBus) {}

  @Get('google')
  @Public()
  @RedirectToProvider('google')
  @GuardAgainstPrefetch()
  @ToProvider('Google')
  beginGoogle(): void {}

  @Get('google/callback')
  @Public()
  @ReturnFromProvider('google')
  @GoesOn()
  @GuardAgainstPrefetch()
  @FromProvider('Google')
  finishGoogle(@Recognised() recognised: Result<ProviderProfile>) {
    return this.finish(recognised);
  }

  @Get('github')
  @Public()
  @RedirectToProvider('github')
  @GuardAgainstPrefetch()
  @ToProvider('GitHub')
  beginGithub(): void {}

  @Get('github/callback')
  @Public()
  @ReturnFromProvider('github')
  @GoesOn()
  @GuardAgainstPrefetch()
  @FromProvider('GitHub')
  finishGithub(@Recognised() recognised: Result<ProviderProfile>) {
    return this.finish(recognised);
  }

  @Post('magic-link/request')
  @Public()
  @Responds({ summary: 'Send a link to sign in with', description: 'Answers the same for every address.', data: null })
  requestMagicLink(@Body() body: RequestMagicLinkBody) {
    return this.commands.execute(new RequestLinkMail(body.email, 'magic-link'));
  }

  @Get('magic-link/verify')
  @Public()
  @UseInterceptors(
    confirmLink('magic-link'),
    redirectBrowser({ success: 'anyone', failure: 'navigation' }),
    SetRefreshCookie,
  )
  @GuardAgainstPrefetch()
  @Responds({
    summary: 'Sign in with the mailed link',
    description: 'Works once, for 10 minutes. A browser is told of a refusal in the fragment too, as #error.',
    redirects:
      'To the web client, with #accessToken, #refreshToken (unless it is left to the cookie) and #expiresIn; a browser that holds the session of somebody ' +
      'else to its page /sign-in, with #token, which is not used up',
    failures: [AuthFailures.magicLinkInvalid, AuthFailures.magicLinkExpired, UserFailures.accountDisabled],
  })
  signInByMagicLink(@Query() query: MagicLinkQuery) {
    return this.commands.execute(new SignInByMagicLink(query.token));
  }

  @Post('magic-link/verify')
  @Public()
  @UseInterceptors(SetRefreshCookie)
  @Responds({
    summary: 'Sign in with the mailed link, from a page of the web client',
    description:
      'Where the mailed link leads with MAIL_LINKS=confirm: a program that only opens links uses nothing up.',
    data: TokenPair,
    failures: [AuthFailures.magicLinkInvalid, AuthFailures.magicLinkExpired, UserFailures.accountDisabled],
  })
  confirmMagicLink(@Body() body: MagicLinkBody) {
    return this.commands.execute(new SignInByMagicLink(body.token));
  }

  private async finish(recognised: Result<ProviderProfile>) {
    return recognised.ok ? this.commands.execute(new SignInByProvider(recognised.value)) : recognised;
  }
}
