import { applyDecorators, Controller, Get } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiQuery, ApiTags } from '@nestjs/swagger';
import { Public } from '../../http/access/access.decorators';
import { GuardFailures, Responds } from '../../http/openapi/openapi-responses.decorator';
import { GuardAgainstPrefetch } from '../../http/requests/prefetch-guard.interceptor';
import { UserFailures } from '../../users/users.api';
import { AuthFailures } from '../auth.failures';
import { SignInByProvider } from '../commands/sign-in-by-provider';
import {
  ProviderResult,
  RedirectToProvider,
  ReturnFromProvider,
  type ProviderOutcome,
} from '../providers/provider.guard';
import { redirectBrowser } from './browser-redirect.interceptor';
import { IssuesSession } from './session-cookie.interceptor';
import { TICKET_IN_FRAGMENT } from './views/token.views';

const CALLBACK_FAILURES = [
  AuthFailures.providerDenied,
  AuthFailures.providerStateInvalid,
  AuthFailures.providerEmailUnverified,
  AuthFailures.providerFailed,
  UserFailures.accountDisabled,
];

const redirectTo = (name: string) => ({
  summary: `Sign in with ${name}`,
  description:
    'Open this URL in the browser. ' + `After signing in at ${name}, it returns to the web client with the tokens.`,
  redirects: `To ${name}`,
});

const callbackOf = (name: string) => ({
  summary: `${name} callback`,
  description:
    'Redirects to the web client with #accessToken, #refreshToken (unless only the cookie has it) ' +
    'and #expiresIn, or with #error: ' +
    `${CALLBACK_FAILURES.map(({ code }) => code).join(', ')}.`,
  redirects: `To the web client, with the tokens or the error code in the fragment. ${TICKET_IN_FRAGMENT}`,
  redirectFailures: CALLBACK_FAILURES,
});

const RedirectParameters = () =>
  ApiQuery({
    name: 'session',
    required: false,
    enum: ['web'],
    description: 'Replaces the header X-Session: the refresh token is only set as a cookie',
  });

const CallbackParameters = () =>
  applyDecorators(
    ApiQuery({ name: 'code', required: false, type: String, description: 'The authorization code of the provider' }),
    ApiQuery({ name: 'state', required: false, type: String, description: 'The state of the sign-in in this browser' }),
    ApiQuery({ name: 'error', required: false, type: String, description: 'The error code of the provider' }),
  );

const RedirectToClient = () => IssuesSession(redirectBrowser({ success: 'anyone', failure: 'anyone' }));

/** Sign-in with an identity provider. */
@ApiTags('passwordless')
@GuardFailures(AuthFailures.providerNotConfigured)
@Controller('auth')
export class ProviderSignInController {
  constructor(private readonly commands: CommandBus) {}

  @Get('google')
  @Public()
  @RedirectToProvider('google')
  @GuardAgainstPrefetch()
  @RedirectParameters()
  @Responds(redirectTo('Google'))
  beginGoogle(): void {}

  @Get('google/callback')
  @Public()
  @ReturnFromProvider('google')
  @RedirectToClient()
  @GuardAgainstPrefetch()
  @CallbackParameters()
  @Responds(callbackOf('Google'))
  finishGoogle(@ProviderResult() result: ProviderOutcome) {
    return this.finish(result);
  }

  @Get('github')
  @Public()
  @RedirectToProvider('github')
  @GuardAgainstPrefetch()
  @RedirectParameters()
  @Responds(redirectTo('GitHub'))
  beginGithub(): void {}

  @Get('github/callback')
  @Public()
  @ReturnFromProvider('github')
  @RedirectToClient()
  @GuardAgainstPrefetch()
  @CallbackParameters()
  @Responds(callbackOf('GitHub'))
  finishGithub(@ProviderResult() result: ProviderOutcome) {
    return this.finish(result);
  }

  private async finish(result: ProviderOutcome) {
    return result.ok ? this.commands.execute(new SignInByProvider(result.value)) : result;
  }
}
