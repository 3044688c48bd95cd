import { Body, Controller, Post, Put } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Fresh, LiveSession, NotWhileImpersonating, Public, SignedIn } from '../../http/access/access.decorators';
import { StoresAnswer } from '../../http/idempotency/answer-storage.decorator';
import { CurrentActor, type Actor } from '../../http/access/actor';
import { EmailBody } from '../../http/validation/email-body';
import { TokenBody } from '../../http/validation/token-body';
import { OptionalFlag } from '../../http/validation/flag-field.decorators';
import { PasswordField, TokenField } from '../../http/validation/secret-field.decorators';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { PlatformFailures } from '../../platform/platform.failures';
import { NewPasswordField } from '../../users/users.api';
import { AuthFailures } from '../auth.failures';
import { ChangePassword } from '../commands/change-password';
import { RequestEmailLink } from '../commands/request-email-link';
import { ResetPassword } from '../commands/reset-password';
import { SetPassword } from '../commands/set-password';
import { CheckResetLink } from '../queries/check-reset-link';

class ResetPasswordBody {
  @TokenField() token!: string;
  @NewPasswordField() password!: string;
  @OptionalFlag() unlinkProviders?: boolean;
}

class SetPasswordBody {
  @NewPasswordField() password!: string;
}

class ChangePasswordBody {
  @PasswordField() currentPassword!: string;
  @NewPasswordField() newPassword!: string;
}

/** Password reset and change. */
@ApiTags('passwords')
@Controller('auth/password')
export class PasswordsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post('forgot')
  @StoresAnswer('afterwards')
  @Public()
  @Responds({
    summary: 'Send a password reset link',
    description: 'The response is the same for every address.',
    data: null,
  })
  requestPasswordReset(@Body() body: EmailBody) {
    return this.commands.execute(new RequestEmailLink(body.email, 'password-reset'));
  }

  @Post('check-link')
  @StoresAnswer('afterwards')
  @Public()
  @Responds({
    summary: 'Check a password reset link',
    description: 'The token stays valid.',
    data: null,
    failures: [AuthFailures.resetInvalid, AuthFailures.resetExpired],
  })
  checkResetLink(@Body() { token }: TokenBody) {
    return this.queries.execute(new CheckResetLink(token));
  }

  @Post('reset')
  @Public()
  @Responds({
    summary: 'Reset the password with an emailed token',
    description: 'Ends all sessions of the account. With unlinkProviders, all identity providers are unlinked as well.',
    data: null,
    failures: [AuthFailures.resetInvalid, AuthFailures.resetExpired],
  })
  resetPassword(@Body() body: ResetPasswordBody) {
    return this.commands.execute(new ResetPassword(body.token, body.password, body.unlinkProviders));
  }

  @Post()
  @Fresh()
  @SignedIn()
  @Responds({
    summary: 'Set your first password',
    description: 'Ends your other sessions.',
    data: null,
    failures: [AuthFailures.hasPassword],
  })
  setPassword(@CurrentActor() actor: Actor, @Body() body: SetPasswordBody) {
    return this.commands.execute(new SetPassword(actor, body.password));
  }

  @Put()
  @LiveSession()
  @SignedIn()
  @NotWhileImpersonating()
  @Responds({
    summary: 'Change your password',
    description: 'Ends your other sessions. STEP_UP_REQUIRED only for an account with a second factor.',
    data: null,
    failures: [PlatformFailures.stepUpRequired, AuthFailures.invalidCredentials, AuthFailures.tooManyAttempts],
  })
  changePassword(@CurrentActor() actor: Actor, @Body() body: ChangePasswordBody) {
    return this.commands.execute(new ChangePassword(actor, body.currentPassword, body.newPassword));
  }
}
