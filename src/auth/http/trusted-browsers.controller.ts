import { Controller, Delete, Get, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { LiveSession, NotWhileImpersonating, SignedIn } from '../../http/access/access.decorators';
import { CurrentActor, type Actor } from '../../http/access/actor';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { IdParam } from '../../http/validation/id-param.decorator';
import { PageQuery } from '../../http/validation/page-query';
import { PlatformFailures } from '../../platform/platform.failures';
import { RemoveTrustedBrowser } from '../commands/remove-trusted-browser';
import { RemoveTrustedBrowsers } from '../commands/remove-trusted-browsers';
import { ListTrustedBrowsers } from '../queries/list-trusted-browsers';
import { TrustedBrowserView } from './views/trusted-browsers.views';

/** The browsers in which the current user signs in without the second factor. */
@ApiTags('factors')
@Controller('auth/trusted-browsers')
@SignedIn()
@NotWhileImpersonating()
export class TrustedBrowsersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Responds({ summary: 'List your trusted browsers', data: TrustedBrowserView, list: true })
  listTrustedBrowsers(@CurrentActor() actor: Actor, @Query() page: PageQuery) {
    return this.queries.execute(new ListTrustedBrowsers(actor.userId, page));
  }

  @Delete(':id')
  @LiveSession()
  @Responds({ summary: 'Stop trusting a browser', data: null, failures: [PlatformFailures.notFound] })
  removeTrustedBrowser(@CurrentActor() actor: Actor, @IdParam('id') id: string) {
    return this.commands.execute(new RemoveTrustedBrowser(actor, id));
  }

  @Delete()
  @LiveSession()
  @Responds({ summary: 'Stop trusting all browsers', data: null })
  removeTrustedBrowsers(@CurrentActor() actor: Actor) {
    return this.commands.execute(new RemoveTrustedBrowsers(actor));
  }
}
