import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import {
  ApproveFactorReset,
  CancelFactorReset,
  FactorFailures,
  FactorResetView,
  ListFactorResets,
  RequestFactorReset,
} from '../../factors/factors.api';
import { AdminOnly, Fresh, LiveSession } from '../../http/access/access.decorators';
import { CurrentActor, type Actor } from '../../http/access/actor';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { IdParam } from '../../http/validation/id-param.decorator';
import { TextField } from '../../http/validation/text-field.decorators';
import { PlatformFailures } from '../../platform/platform.failures';
import { FactorResetSearch } from './list-searches.params';

class RequestFactorResetBody {
  @TextField(1, 500, 'Ticket 4713: phone lost, identity checked by video call') reason!: string;
}

/** Resets of lost second factors, by two operators (docs/contract.md, Operators). */
@ApiTags('admin')
@Controller('admin')
@AdminOnly()
export class AdminFactorResetsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get('factor-resets')
  @Responds({
    summary: 'List resets of second factors',
    description: 'Newest first. Filters are combined with AND; `open` are the requested and the approved ones.',
    data: FactorResetView,
    list: true,
  })
  listFactorResets(@Query() query: FactorResetSearch) {
    return this.queries.execute(new ListFactorResets(query.state, query.user, query));
  }

  @Post('users/:id/factors/reset')
  @Fresh()
  @Responds({
    summary: 'Request the reset of a lost second factor',
    description:
      'Another operator must approve it within 7 days. The reset happens 24 hours after the request at the earliest. ' +
      'The user is notified and can stop it. CONFLICT if the user has no second factor, or an open request.',
    data: FactorResetView,
    failures: [
      PlatformFailures.notFound,
      FactorFailures.ownFactorReset,
      FactorFailures.hasNoFactor,
      FactorFailures.resetIsOpen,
    ],
  })
  requestFactorReset(
    @CurrentActor() actor: Actor,
    @IdParam('id') id: string,
    @Body() { reason }: RequestFactorResetBody,
  ) {
    return this.commands.execute(new RequestFactorReset(actor, id, reason));
  }

  @Post('factor-resets/:id/approve')
  @Fresh()
  @Responds({
    summary: 'Approve the reset of a second factor',
    description:
      'SECOND_OPERATOR_REQUIRED for the operator who requested it, and for the user. CONFLICT if it is not waiting ' +
      'for approval.',
    data: FactorResetView,
    failures: [PlatformFailures.notFound, FactorFailures.secondOperatorRequired, FactorFailures.resetNotWaiting],
  })
  approveFactorReset(@CurrentActor() actor: Actor, @IdParam('id') id: string) {
    return this.commands.execute(new ApproveFactorReset(actor, id));
  }

  @Post('factor-resets/:id/cancel')
  @LiveSession()
  @Responds({
    summary: 'Cancel the reset of a second factor',
    description: 'Any operator can cancel it. CONFLICT if it is no longer open.',
    data: FactorResetView,
    failures: [PlatformFailures.notFound, FactorFailures.resetClosed],
  })
  cancelFactorReset(@CurrentActor() actor: Actor, @IdParam('id') id: string) {
    return this.commands.execute(new CancelFactorReset(actor, id));
  }
}
