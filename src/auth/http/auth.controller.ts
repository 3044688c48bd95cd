import { Body, Controller, Get, Post, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBody, ApiHeader, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { RequestSubscription, type CurrentSubscription } from '../../billing/billing.api';
import { NotWhileImpersonating, Public, SignedIn } from '../../http/access/access.decorators';
import { StoresAnswer } from '../../http/idempotency/answer-storage.decorator';
import { CurrentActor, type Actor } from '../../http/access/actor';
import { Responds, SetsCookie } from '../../http/openapi/openapi-responses.decorator';
import { IDEMPOTENCY_KEY, idempotencyKeyOf } from '../../http/idempotency/idempotency-key';
import { TokenBody } from '../../http/validation/token-body';
import { OptionalIdField } from '../../http/validation/id-field.decorators';
import { OptionalTokenField, PasswordField } from '../../http/validation/secret-field.decorators';
import { EmailField } from '../../http/validation/text-field.decorators';
import { invalid, PlatformFailures } from '../../platform/platform.failures';
import { err } from '../../platform/result';
import { UserFailures } from '../../users/users.api';
import { AuthFailures } from '../auth.failures';
import { LogIn } from '../commands/log-in';
import { LogOut } from '../commands/log-out';
import { RefreshSession } from '../commands/refresh-session';
import { SecureAccount } from '../commands/secure-account';
import { GetMe } from '../queries/get-me';
import { IssuesSession, SessionCookie } from './session-cookie.interceptor';
import { UsesSessionName } from './session-name.middleware';
import { MeView } from './views/me.views';
import { SignInView, TokenPairView } from './views/token.views';

class LogInBody {
  @EmailField() email!: string;
  @PasswordField() password!: string;
}

class RefreshTokenBody {
  @OptionalTokenField() refreshToken?: string;
}

class RefreshSessionBody extends RefreshTokenBody {
  @OptionalIdField('The tenant of the access token. Default: the active tenant of the session.')
  tenantId?: string;
}

const REFRESH_TOKEN_MISSING = invalid({ refreshToken: ['must be sent in the body or as a cookie'] });

/** Sign-in, refresh and sign-out. */
@ApiTags('auth')
@Controller('auth')
export class AuthController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly cookie: SessionCookie,
  ) {}

  @Post('login')
  @StoresAnswer('never')
  @Public()
  @IssuesSession()
  @Responds({
    summary: 'Sign in with a password',
    description: 'Returns tokens or, for an account with a second factor, a ticket for POST /auth/second-factor.',
    data: SignInView,
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
  @StoresAnswer('never')
  @Public()
  @ApiBody({ type: RefreshSessionBody, required: false })
  @ApiHeader({ name: IDEMPOTENCY_KEY, required: false, description: 'A new random text for each exchange' })
  @IssuesSession()
  @Responds({
    summary: 'Refresh the tokens',
    description:
      'Exchanges the refresh token, from the body or else from the cookie, for the next pair. Using a token twice ' +
      'ends the session. A repeated request with the same Idempotency-Key returns the same pair until its refresh ' +
      'token is used. With X-Session, only the cookie has the refresh token. ' +
      'With `tenantId`, the access token is for that tenant if the user is a member.',
    data: TokenPairView,
    failures: [
      AuthFailures.invalidToken,
      AuthFailures.tokenExpired,
      AuthFailures.tokenReused,
      UserFailures.accountDisabled,
      PlatformFailures.validation,
    ],
  })
  async refreshSession(@Body() body: RefreshSessionBody, @Req() request: Request) {
    const refreshToken = body.refreshToken ?? this.cookie.read(request);
    if (!refreshToken) return err(REFRESH_TOKEN_MISSING);
    const key = idempotencyKeyOf(request);
    if (!key.ok) return key;
    return this.commands.execute(new RefreshSession(refreshToken, { tenantId: body.tenantId, key: key.value }));
  }

  @Post('logout')
  @StoresAnswer('never')
  @Public()
  @NotWhileImpersonating()
  @SetsCookie()
  @UsesSessionName()
  @ApiBody({ type: RefreshTokenBody, required: false })
  @Responds({
    summary: 'Sign out',
    description:
      'Ends the session of the refresh token in the body, or else in the cookie. An impersonation has no ' +
      'refresh token: discard its access ' +
      "token to return to the admin's own session.",
    data: null,
  })
  logOut(@Body() body: RefreshTokenBody, @Req() request: Request, @Res({ passthrough: true }) response: Response) {
    this.cookie.clear(request, response);
    return this.commands.execute(new LogOut(body.refreshToken ?? this.cookie.read(request)));
  }

  @Get('me')
  @SignedIn()
  @Responds({
    summary: 'Get the current user',
    description: 'The account with its active tenant, role, permissions and subscription.',
    data: MeView,
  })
  getMe(@CurrentActor() actor: Actor, @RequestSubscription() subscription?: CurrentSubscription) {
    return this.queries.execute(new GetMe(actor, subscription?.view));
  }

  @Post('secure-account')
  @Public()
  @Responds({
    summary: 'Secure an account',
    description:
      'Requires the token of the link "This was not me" in a security email. Ends all sessions, revokes all ' +
      'links, unlinks all providers and ' +
      'removes all passkeys and the password; a new one must be set.',
    data: null,
    failures: [AuthFailures.resetInvalid, AuthFailures.resetExpired],
  })
  secureAccount(@Body() body: TokenBody) {
    return this.commands.execute(new SecureAccount(body.token));
  }
}
