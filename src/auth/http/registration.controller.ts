import { Body, Controller, Get, Post, Query, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Public } from '../../http/access/access.decorators';
import { StoresAnswer } from '../../http/idempotency/answer-storage.decorator';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { GuardAgainstPrefetch } from '../../http/requests/prefetch-guard.interceptor';
import { EmailBody } from '../../http/validation/email-body';
import { TokenBody } from '../../http/validation/token-body';
import { TokenField } from '../../http/validation/secret-field.decorators';
import { EmailField, NameField } from '../../http/validation/text-field.decorators';
import { NewPasswordField, OptionalNewPasswordField, UserFailures } from '../../users/users.api';
import { AuthFailures } from '../auth.failures';
import { CancelRegistration } from '../commands/cancel-registration';
import { RegisterUser } from '../commands/register-user';
import { ResendVerification } from '../commands/resend-verification';
import { VerifyEmail } from '../commands/verify-email';
import { redirectBrowser } from './browser-redirect.interceptor';
import { confirmLink } from './link-confirmation.interceptor';
import { IssuesSession } from './session-cookie.interceptor';
import { UsesSessionName } from './session-name.middleware';
import { RegistrationCookie, RemembersRegistration } from './registration-cookie.interceptor';
import { RegisteredView, SignInView, TICKET_IN_FRAGMENT } from './views/token.views';

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
    'Required with MAIL_LINKS=confirm if the account was created in another browser: the registered ' +
      'password, or a new one',
  )
  password?: string;
}

/** Registration and email verification. */
@ApiTags('auth')
@Controller('auth')
export class RegistrationController {
  constructor(
    private readonly commands: CommandBus,
    private readonly registration: RegistrationCookie,
  ) {}

  @Post('register')
  @Public()
  @RemembersRegistration()
  @UsesSessionName()
  @Responds({
    summary: 'Create an account',
    description:
      'Sends a verification email and returns no tokens. An unverified address can be registered again: ' +
      'the newest three registrations are kept. The first link that is used activates its own password and name, ' +
      'and discards the others. With MAIL_LINKS=confirm the cookie `registration` is set: this browser can verify ' +
      'the address without the password.',
    data: RegisteredView,
    status: 201,
    failures: [UserFailures.emailTaken],
  })
  registerUser(@Body() body: RegisterUserBody) {
    return this.commands.execute(new RegisterUser(body.email, body.password, body.name));
  }

  @Get('verify-email')
  @Public()
  @IssuesSession(confirmLink('verification'), redirectBrowser({ success: 'navigation', failure: 'navigation' }))
  @GuardAgainstPrefetch()
  @Responds({
    summary: 'Verify an email address with an emailed token',
    description: 'The target of the link in a verification email. It activates the account and signs in.',
    data: SignInView,
    redirects:
      'A browser is redirected to the web client, with the tokens or the error code in the fragment. ' +
      `${TICKET_IN_FRAGMENT} If another user is signed in, it is redirected to the page /verify-email with #token, ` +
      'and the token is not consumed.',
    failures: [AuthFailures.verificationInvalid, AuthFailures.verificationExpired, UserFailures.accountDisabled],
  })
  verifyEmail(@Query() query: VerifyEmailQuery, @Req() request: Request) {
    return this.commands.execute(new VerifyEmail(query.token, this.registration.read(request)));
  }

  @Post('verify-email')
  @StoresAnswer('never')
  @Public()
  @IssuesSession()
  @Responds({
    summary: 'Verify an email address from a page of the web client',
    description:
      'Used with MAIL_LINKS=confirm, so that programs that open links do not use up the token. In a browser without ' +
      'the cookie `registration` the password is required: the registered one, or a new one, which replaces it. ' +
      'Without it the response is VALIDATION_ERROR with details on `password`, and the token stays valid.',
    data: SignInView,
    failures: [AuthFailures.verificationInvalid, AuthFailures.verificationExpired, UserFailures.accountDisabled],
  })
  confirmEmail(@Body() body: ConfirmEmailBody, @Req() request: Request) {
    return this.commands.execute(new VerifyEmail(body.token, this.registration.read(request), body.password));
  }

  @Post('resend-verification')
  @StoresAnswer('afterwards')
  @Public()
  @Responds({
    summary: 'Resend the verification email',
    description:
      'The response is the same for every address. If the address was registered more than once, the link ' +
      'verifies the address and removes ' +
      'the registered passwords; with MAIL_LINKS=confirm a new password must be sent with it.',
    data: null,
  })
  resendVerification(@Body() body: EmailBody) {
    return this.commands.execute(new ResendVerification(body.email));
  }

  @Post('not-me')
  @Public()
  @Responds({
    summary: 'Cancel a registration',
    description:
      'Requires the token of the link "This was not me" in a verification email. The account is deleted with ' +
      'its last registration, or at once ' +
      'if the email covered several registrations.',
    data: null,
    failures: [AuthFailures.verificationInvalid, AuthFailures.verificationExpired],
  })
  cancelRegistration(@Body() body: TokenBody) {
    return this.commands.execute(new CancelRegistration(body.token));
  }
}
