import { Controller, Delete, Get, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { LiveSession, NotWhileImpersonating, SignedIn } from '../../http/access/access.decorators';
import { CurrentActor, type Actor } from '../../http/access/actor';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { PageQuery } from '../../http/validation/page-query';
import { IdParam } from '../../http/validation/id-param.decorator';
import { PlatformFailures } from '../../platform/platform.failures';
import { EndOtherSessions } from '../commands/end-other-sessions';
import { EndSession } from '../commands/end-session';
import { ListSessions } from '../queries/list-sessions';
import { SessionView } from './views/session.views';

/** The sessions of the current user. */
@ApiTags('sessions')
@Controller('auth/sessions')
@SignedIn()
@NotWhileImpersonating()
export class SessionsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Responds({ summary: 'List your sessions', data: SessionView, list: true })
  listSessions(@CurrentActor() actor: Actor, @Query() page: PageQuery) {
    return this.queries.execute(new ListSessions(actor, page));
  }

  @Delete(':id')
  @LiveSession()
  @Responds({ summary: 'End one of your sessions', data: null, failures: [PlatformFailures.notFound] })
  endSession(@CurrentActor() actor: Actor, @IdParam('id') id: string) {
    return this.commands.execute(new EndSession(actor, id));
  }

  @Delete()
  @LiveSession()
  @Responds({ summary: 'End all your other sessions', data: null })
  endOtherSessions(@CurrentActor() actor: Actor) {
    return this.commands.execute(new EndOtherSessions(actor));
  }
}
