import { Body, Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { AuthFailures } from '../../../auth/auth.api';
import { DigitCodeField } from '../../../factors/factors.api';
import { Fresh, LiveSession, NotWhileImpersonating, Public, SignedIn } from '../../../http/access/access.decorators';
import { CurrentActor, type Actor } from '../../../http/access/actor';
import { Responds } from '../../../http/openapi/openapi-responses.decorator';
import { EmailBody } from '../../../http/validation/email-body';
import { TokenBody } from '../../../http/validation/token-body';
import { UserFailures, UserView } from '../../../users/users.api';
import { AccountFailures } from '../../accounts.failures';
import { ChangeEmail } from '../commands/change-email';
import { RequestEmailChange } from '../commands/request-email-change';
import { UndoEmailChange } from '../commands/undo-email-change';

class ChangeEmailBody {
  @DigitCodeField() code!: string;
}

/** The change of the address of an account, and its undoing. */
@ApiTags('users')
@Controller()
export class EmailChangeController {
  constructor(private readonly commands: CommandBus) {}

  @Post('users/me/email')
  @Fresh()
  @SignedIn()
  @Responds({
    summary: 'Request a change of your email address',
    description:
      'Sends a code to the new address, which expires after 10 minutes and can be tried three times. A newer ' +
      'request replaces it. At most 10 requests in a day; LIMIT_REACHED if five changes can still be undone.',
    data: null,
    failures: [UserFailures.emailTaken, AccountFailures.tooManyEmailChanges],
  })
  requestEmailChange(@CurrentActor() actor: Actor, @Body() { email }: EmailBody) {
    return this.commands.execute(new RequestEmailChange(actor, email));
  }

  @Post('users/me/email/confirm')
  @LiveSession()
  @SignedIn()
  @NotWhileImpersonating()
  @Responds({
    summary: 'Change your email address with the emailed code',
    description:
      'Ends your other sessions and all open links. The earlier address gets an email with a link that undoes the ' +
      'change for 72 hours. An unverified account with the new address is deleted. Access tokens carry the new ' +
      'address from the next refresh on.',
    data: UserView,
    failures: [AuthFailures.emailCodeInvalid, UserFailures.emailTaken],
  })
  changeEmail(@CurrentActor() actor: Actor, @Body() { code }: ChangeEmailBody) {
    return this.commands.execute(new ChangeEmail(actor, code));
  }

  @Post('auth/email-change/undo')
  @Public()
  @Responds({
    summary: 'Undo a change of an email address with an emailed token',
    description:
      'Restores the earlier address. All sessions and open links end, the password, the passkeys and the linked ' +
      'providers are removed, and so is a second factor that was added since three days before the change. Later ' +
      'changes can no longer be undone. With EMAIL_TAKEN the token stays valid.',
    data: null,
    failures: [AccountFailures.undoInvalid, AccountFailures.undoExpired, UserFailures.emailTaken],
  })
  undoEmailChange(@Body() { token }: TokenBody) {
    return this.commands.execute(new UndoEmailChange(token));
  }
}
