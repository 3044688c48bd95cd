import { Body, Controller, Post, Put } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { LiveSession, NotWhileImpersonating, Public, SignedIn } from '../../http/access/access.guard';
import { CurrentActor, type Actor } from '../../http/access/actor';
import { EmailField, OptionalFlag, PasswordField, TokenField } from '../../http/validation/field.decorators';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { NewPasswordField } from '../../users/users.api';
import { AuthFailures } from '../auth.failures';
import { ChangePassword } from '../commands/change-password';
import { RequestLinkMail } from '../commands/request-link-mail';
import { ResetPassword } from '../commands/reset-password';
import { SetPassword } from '../commands/set-password';

class ForgotPasswordBody {
  @EmailField() email!: string;
}

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

/** Forgotten, reset and changed passwords. */
@ApiTags('passwords')
@Controller('auth/password')
export class PasswordsController {
  constructor(private readonly commands: CommandBus) {}

  @Post('forgot')
  @Public()
  @Responds({
    summary: 'Send a link to choose a new password',
    description: 'Answers the same for every address.',
    data: null,
  })
  requestPasswordReset(@Body() body: ForgotPasswordBody) {
    return this.commands.execute(new RequestLinkMail(body.email, 'password-reset'));
  }

  @Post('reset')
  @Public()
  @Responds({
    summary: 'Choose a new password with the mailed token',
    description:
      'Ends every session of the account. With unlinkProviders no account at a provider leads to it any more either.',
    data: null,
    failures: [AuthFailures.resetInvalid, AuthFailures.resetExpired],
  })
  resetPassword(@Body() body: ResetPasswordBody) {
    return this.commands.execute(new ResetPassword(body.token, body.password, body.unlinkProviders));
  }

  @Post()
  @LiveSession()
  @SignedIn()
  @NotWhileImpersonating()
  @Responds({
    summary: 'Set a password where you have none',
    description: 'In a session that began in the last 10 minutes. Ends your other sessions.',
    data: null,
    failures: [AuthFailures.stepUpRequired, AuthFailures.hasPassword],
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
    description: 'Ends your other sessions.',
    data: null,
    failures: [AuthFailures.invalidCredentials, AuthFailures.tooManyAttempts],
  })
  changePassword(@CurrentActor() actor: Actor, @Body() body: ChangePasswordBody) {
    return this.commands.execute(
      new ChangePassword(actor.userId, actor.tokenId, body.currentPassword, body.newPassword),
    );
  }
}
