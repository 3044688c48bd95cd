import { Body, Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { FactorFailures, FactorProofBody, factorProofOf } from '../../factors/factors.api';
import { Public } from '../../http/access/access.decorators';
import { StoresAnswer } from '../../http/idempotency/answer-storage.decorator';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { OptionalFlag } from '../../http/validation/flag-field.decorators';
import { TokenField } from '../../http/validation/secret-field.decorators';
import { UserFailures } from '../../users/users.api';
import { AuthFailures } from '../auth.failures';
import { SignInBySecondFactor } from '../commands/sign-in-by-second-factor';
import { IssuesSession } from './session-cookie.interceptor';
import { TokenPairView } from './views/token.views';

class SecondFactorBody extends FactorProofBody {
  @TokenField() ticket!: string;
  @OptionalFlag() trustBrowser?: boolean;
}

/** The second step of a sign-in. */
@ApiTags('factors')
@Controller('auth/second-factor')
export class SecondFactorController {
  constructor(private readonly commands: CommandBus) {}

  @Post()
  @StoresAnswer('never')
  @Public()
  @IssuesSession()
  @Responds({
    summary: 'Sign in with a second factor',
    description:
      'Requires the ticket of the first step, and a passkey, the code of the authenticator app or a recovery ' +
      'code. A ticket can be tried five times. With trustBrowser, sign-ins with this browser need no second ' +
      'factor for 30 days.',
    data: TokenPairView,
    failures: [
      AuthFailures.ticketInvalid,
      FactorFailures.secondFactorInvalid,
      FactorFailures.challengeExpired,
      FactorFailures.passkeyInvalid,
      FactorFailures.passkeyUnknown,
      AuthFailures.tooManyAttempts,
      UserFailures.accountDisabled,
    ],
  })
  async signInBySecondFactor(@Body() body: SecondFactorBody) {
    const proof = factorProofOf(body);
    if (!proof.ok) return proof;
    return this.commands.execute(new SignInBySecondFactor(body.ticket, proof.value, body.trustBrowser));
  }
}
