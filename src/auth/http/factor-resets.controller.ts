import { Body, Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { FactorFailures } from '../../factors/factors.api';
import { Public } from '../../http/access/access.decorators';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { TokenBody } from '../../http/validation/token-body';
import { AuthFailures } from '../auth.failures';
import { StopFactorResetByLink } from '../commands/stop-factor-reset-by-link';

/** The link in the email about the reset of a second factor. */
@ApiTags('factors')
@Controller('auth/factors/reset')
export class FactorResetsController {
  constructor(private readonly commands: CommandBus) {}

  @Post('stop')
  @Public()
  @Responds({
    summary: 'Stop the reset of a second factor with an emailed token',
    description: 'NOT_FOUND if it was already done, stopped or canceled.',
    data: null,
    failures: [AuthFailures.resetInvalid, AuthFailures.resetExpired, FactorFailures.noOpenReset],
  })
  stopFactorResetByLink(@Body() { token }: TokenBody) {
    return this.commands.execute(new StopFactorResetByLink(token));
  }
}
