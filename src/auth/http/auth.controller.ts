import { Body, Controller, Get, Post, Query, Req, Res, UseInterceptors } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { NotWhileImpersonating, Public, SignedIn } from '../../http/access/access.guard';
import { RequestSubscription, type CurrentSubscription } from '../../billing/billing.api';
import { CurrentActor, type Actor } from '../../http/access/actor';
import {
  EmailField,
  NameField,
  OptionalTokenField,
  PasswordField,
  TokenField,
} from '../../http/validation/field.decorators';
import { GuardAgainstPrefetch } from '../../http/requests/prefetch-guard.interceptor';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { invalid, PlatformFailures } from '../../platform/platform.failures';
import { err } from '../../platform/result';
import { NewPasswordField, OptionalNewPasswordField, UserFailures } from '../../users/users.api';
import { AuthFailures } from '../auth.failures';
import { SecureAccount } from '../commands/secure-account';
import { DisownRegistration } from '../commands/disown-registration';
import { LogIn } from '../commands/log-in';
import { LogOut } from '../commands/log-out';
import { RefreshSession } from '../commands/refresh-session';
import { RegisteredView, RegisterUser } from '../commands/register-user';
import { ResendVerification } from '../commands/resend-verification';
import { VerifyEmail } from '../commands/verify-email';
import { TokenPair } from '../domain/token-pair';
import { GetMe, MeView } from '../queries/get-me';
import { confirmLink } from './link-confirmation.interceptor';
import { RefreshCookie, SetRefreshCookie } from './refresh-cookie.interceptor';
import { RegistrationCookie, SetRegistrationCookie } from './registration-cookie.interceptor';
import { redirectBrowser } from './browser-redirect.interceptor';

class RegisterUserBody {
  @EmailField() email!: string;
  @NewPasswordField() password!: string;
  @NameField(100, 'Ada Lovelace') name!: string;
}

class VerifyEmailQuery {
  @TokenField() token!: string;
}

class ConfirmEmailBody {
  @TokenField() token!: string;
  @OptionalNewPasswordField(
    'With MAIL_LINKS=confirm, and needed in a browser in which the account was not made: the password that was chosen, or a new one',
  )
  password?: string;
}

class TokenBody {
  @TokenField() token!: string;
}

class ResendVerificationBody {
  @EmailField() email!: string;
}

class LogInBody {
  @EmailField() email!: string;
  @PasswordField() password!: string;
}

class RefreshTokenBody {
  @OptionalTokenField() refreshToken?: string;
}

/** The ways in, staying in and leaving. */
@ApiTags('auth')
@Controller('auth')
export class AuthController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly cookie: RefreshCookie,
    private readonly registration: RegistrationCookie,
  ) {}

  @Post('register')
  @Public()
  @UseInterceptors(SetRegistrationCookie)
  @Responds({
    summary: 'Make an account',
    description:
      'A verification mail is sent; no tokens yet. An address that nobody has verified can be registered again: the newest three registrations stand side by ' +
      'side, each mail activates the password and name of its own, and the first that is used discards the others. With MAIL_LINKS=confirm the cookie ' +
      'registration is set, so that this browser can verify the address without the password.',
    data: RegisteredView,
    status: 201,
    failures: [UserFailures.emailTaken],
  })
  registerUser(@Body() body: RegisterUserBody) {
    return this.commands.execute(new RegisterUser(body.email, body.password, body.name));
  }

  @Get('verify-email')
  @Public()
  @UseInterceptors(
    confirmLink('verification'),
    redirectBrowser({ success: 'navigation', failure: 'navigation' }),
    SetRefreshCookie,
  )
  @GuardAgainstPrefetch()
  @Responds({
    summary: 'Verify an email address with the mailed token',
    data: TokenPair,
    redirects:
      'A browser is sent to the web client, the outcome in the fragment; one that holds the session of somebody else to its page /verify-email, with ' +
      '#token, which is not used up',
    failures: [AuthFailures.verificationInvalid, AuthFailures.verificationExpired, UserFailures.accountDisabled],
  })
  verifyEmail(@Query() query: VerifyEmailQuery, @Req() request: Request) {
    return this.commands.execute(new VerifyEmail(query.token, this.registration.read(request)));
  }

  @Post('verify-email')
  @Public()
  @UseInterceptors(SetRefreshCookie)
  @Responds({
    summary: 'Verify an email address, from a page of the web client',
    description:
      'Where the mailed link leads with MAIL_LINKS=confirm: a program that only opens links uses nothing up. In a browser in which the account was not ' +
      'made (the cookie registration tells) a password must be sent: the one that was chosen, or a new one, which replaces it. Without it the answer is ' +
      'VALIDATION_ERROR with details on password, and the token stays good.',
    data: TokenPair,
    failures: [AuthFailures.verificationInvalid, AuthFailures.verificationExpired, UserFailures.accountDisabled],
  })
  confirmEmail(@Body() body: ConfirmEmailBody, @Req() request: Request) {
    return this.commands.execute(new VerifyEmail(body.token, this.registration.read(request), body.password));
  }

  @Post('secure-account')
  @Public()
  @Responds({
    summary: 'Take every way into an account away but the mailbox',
    description:
      'With the token of the link "This was not me" of a mail about the security of an account. All sessions and open links end, providers are ' +
      'unlinked, and a new password must be set.',
    data: null,
    failures: [AuthFailures.resetInvalid, AuthFailures.resetExpired],
  })
  secureAccount(@Body() body: TokenBody) {
    return this.commands.execute(new SecureAccount(body.token));
  }

  @Post('not-me')
  @Public()
  @Responds({
    summary: 'Delete a registration that one did not make',
    description:
      'With the token of the link "This was not me" of a verification mail. ' +
      'With the last registration of an address its account goes; with the link of a mail that is about several, at once.',
    data: null,
    failures: [AuthFailures.verificationInvalid, AuthFailures.verificationExpired],
  })
  disownRegistration(@Body() body: TokenBody) {
    return this.commands.execute(new DisownRegistration(body.token));
  }

  @Post('resend-verification')
  @Public()
  @Responds({
    summary: 'Send a new verification mail',
    description:
      'Answers the same for every address. The link of an address that was registered more than once is for none of these registrations: it verifies ' +
      'the address, and their passwords go. With MAIL_LINKS=confirm a new password must be sent with it.',
    data: null,
  })
  resendVerification(@Body() body: ResendVerificationBody) {
    return this.commands.execute(new ResendVerification(body.email));
  }

  @Post('login')
  @Public()
  @UseInterceptors(SetRefreshCookie)
  @Responds({
    summary: 'Sign in with a password',
    data: TokenPair,
    failures: [
      AuthFailures.invalidCredentials,
      UserFailures.emailNotVerified,
      UserFailures.accountDisabled,
      AuthFailures.tooManyAttempts,
    ],
  })
  logIn(@Body() body: LogInBody) {
    return this.commands.execute(new LogIn(body.email, body.password));
  }

  @Post('refresh')
  @Public()
  @ApiBody({ type: RefreshTokenBody, required: false })
  @UseInterceptors(SetRefreshCookie)
  @Responds({
    summary: 'Exchange the refresh token for the next pair',
    description:
      'The token comes from the body, or else from the cookie: refresh_token, or with the header X-Session: panel refresh_token_panel, so that several ' +
      'sessions fit into one browser. With X-Session (X-Session: web for the cookie refresh_token) no answer shows a refresh token: the cookie has it. ' +
      'Using a token twice ends the whole session.',
    data: TokenPair,
    failures: [
      AuthFailures.invalidToken,
      AuthFailures.tokenExpired,
      AuthFailures.tokenReused,
      UserFailures.accountDisabled,
      PlatformFailures.validation,
    ],
  })
  async refreshSession(@Body() body: RefreshTokenBody, @Req() request: Request) {
    const refreshToken = body.refreshToken ?? this.cookie.read(request);
    if (!refreshToken) return err(invalid({ refreshToken: ['must be given, in the body or as cookie'] }));
    return this.commands.execute(new RefreshSession(refreshToken));
  }

  @Post('logout')
  @Public()
  @NotWhileImpersonating()
  @ApiBody({ type: RefreshTokenBody, required: false })
  @Responds({
    summary: 'End this session',
    description:
      'Of the refresh token in the body, or else in the cookie. An impersonation has none: drop its access token, and your own session goes on.',
    data: null,
  })
  logOut(@Body() body: RefreshTokenBody, @Req() request: Request, @Res({ passthrough: true }) response: Response) {
    this.cookie.clear(request, response);
    return this.commands.execute(new LogOut(body.refreshToken ?? this.cookie.read(request)));
  }

  @Get('me')
  @SignedIn()
  @Responds({ summary: 'Who you are, and as what', data: MeView })
  getMe(@CurrentActor() actor: Actor, @RequestSubscription() subscription?: CurrentSubscription) {
    return this.queries.execute(new GetMe(actor, subscription?.view));
  }
}
