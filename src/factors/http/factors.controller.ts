import { Body, Controller, Delete, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Fresh, LiveSession, NotWhileImpersonating, SignedIn } from '../../http/access/access.decorators';
import { CurrentActor, type Actor } from '../../http/access/actor';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { CreateRecoveryCodes } from '../commands/create-recovery-codes';
import { DisableTotp } from '../commands/disable-totp';
import { EnableTotp } from '../commands/enable-totp';
import { StartTotpEnrolment } from '../commands/start-totp-enrolment';
import { StopFactorReset } from '../commands/stop-factor-reset';
import { FactorFailures } from '../factors.failures';
import { GetFactors } from '../queries/get-factors';
import { DigitCodeField } from './factor-code.decorators';
import { FactorsView, RecoveryCodesView, TotpEnrolmentView } from './views/factors.views';

class EnableTotpBody {
  @DigitCodeField() code!: string;
}

/** The second factors of the current user. */
@ApiTags('factors')
@Controller('auth/factors')
@SignedIn()
@NotWhileImpersonating()
export class FactorsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Responds({ summary: 'Get your second factors', data: FactorsView })
  getFactors(@CurrentActor() actor: Actor) {
    return this.queries.execute(new GetFactors(actor.userId));
  }

  @Post('totp')
  @Fresh()
  @Responds({
    summary: 'Set up an authenticator app',
    description: 'The secret is shown only once. Codes are required only after the first one was confirmed.',
    data: TotpEnrolmentView,
    failures: [FactorFailures.factorExists],
  })
  startTotpEnrolment(@CurrentActor() actor: Actor) {
    return this.commands.execute(new StartTotpEnrolment(actor));
  }

  @Post('totp/confirm')
  @Fresh()
  @Responds({
    summary: 'Confirm an authenticator app',
    description: 'Sign-ins need a second factor from now on. Ends your other sessions.',
    data: RecoveryCodesView,
    failures: [FactorFailures.noFactor, FactorFailures.factorExists, FactorFailures.secondFactorInvalid],
  })
  enableTotp(@CurrentActor() actor: Actor, @Body() body: EnableTotpBody) {
    return this.commands.execute(new EnableTotp(actor, body.code));
  }

  @Delete('totp')
  @Fresh()
  @Responds({
    summary: 'Remove the authenticator app',
    description: 'Removes the recovery codes as well, and ends your other sessions.',
    data: null,
    failures: [FactorFailures.noFactor],
  })
  disableTotp(@CurrentActor() actor: Actor) {
    return this.commands.execute(new DisableTotp(actor));
  }

  @Delete('reset')
  @LiveSession()
  @Responds({
    summary: 'Stop the planned reset of your second factor',
    data: null,
    failures: [FactorFailures.noOpenReset],
  })
  stopFactorReset(@CurrentActor() actor: Actor) {
    return this.commands.execute(new StopFactorReset(actor));
  }

  @Post('recovery-codes')
  @Fresh()
  @Responds({
    summary: 'Create new recovery codes',
    description: 'Each code replaces a lost authenticator app once. Earlier codes become invalid.',
    data: RecoveryCodesView,
    failures: [FactorFailures.noFactor],
  })
  createRecoveryCodes(@CurrentActor() actor: Actor) {
    return this.commands.execute(new CreateRecoveryCodes(actor));
  }
}
