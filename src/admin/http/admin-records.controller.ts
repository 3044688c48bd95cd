import { Controller, Get, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { AuditEntryView, ListAuditLog } from '../../audit/audit.api';
import {
  StartSync,
  BillingFailures,
  ReplayWebhookEvent,
  WEBHOOK_EVENT_STATUSES,
  type WebhookEventStatus,
} from '../../billing/billing.api';
import { AdminOnly } from '../../http/access/access.guard';
import { CurrentActor, type Actor } from '../../http/access/actor';
import {
  OptionalChoiceParameter,
  OptionalIdField,
  OptionalMomentParameter,
  OptionalTextField,
} from '../../http/validation/field.decorators';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { PageQuery } from '../../http/validation/pagination';
import { IdParam } from '../../http/validation/id-param.decorator';
import { PlatformFailures } from '../../platform/platform.failures';
import { EVERY_TENANT } from '../../platform/database/tenant-scope';
import { NameView, OverviewView, WebhookEventDetailView, WebhookEventView } from './views/admin.views';
import { GetOverview } from '../queries/get-overview';
import { GetTrends } from '../queries/get-trends';
import { GetWebhookEvent } from '../queries/get-webhook-event';
import { ListNames } from '../queries/list-names';
import { ListWebhookEvents } from '../queries/list-webhook-events';
import { TrendsView } from './views/trends.views';
import { NameIds } from './list-names.params';
import { RecordedView } from './recorded-view.interceptor';

class AuditSearch extends PageQuery {
  @OptionalIdField('Who did it: actorId') actor?: string;
  @OptionalIdField('Which admin did it as somebody else: impersonatorId') impersonator?: string;
  @OptionalTextField(1, 100, '0194c5d0-9d5c-7a52-8f6e-0a4a3c1b2d3e') target?: string;
  @OptionalIdField('Where: tenantId') tenant?: string;
  @OptionalTextField(1, 100, 'role.created') action?: string;
  @OptionalMomentParameter('The first moment that counts') from?: Date;
  @OptionalMomentParameter('The last moment that counts') to?: Date;
}

class WebhookEventSearch extends PageQuery {
  @OptionalChoiceParameter(WEBHOOK_EVENT_STATUSES) status?: WebhookEventStatus;
  @OptionalTextField(1, 100, 'invoice.payment_failed') type?: string;
  @OptionalIdField('Whose: tenantId') tenant?: string;
}

/** What has happened, and how things are, for operators. */
@ApiTags('admin')
@Controller('admin')
export class AdminRecordsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get('overview')
  @AdminOnly()
  @Responds({ summary: 'How things are, in numbers', data: OverviewView })
  getOverview() {
    return this.queries.execute(new GetOverview());
  }

  @Get('trends')
  @AdminOnly()
  @Responds({
    summary: 'How things have been going',
    description: 'Days and hours are those of UTC.',
    data: TrendsView,
  })
  getTrends() {
    return this.queries.execute(new GetTrends());
  }

  @Post('sync')
  @AdminOnly()
  @Responds({
    summary: 'Compare all subscriptions with the processor now',
    description: 'As every two hours; one that did not get to its end goes on. CONFLICT: a comparison is under way.',
    data: null,
    failures: [BillingFailures.syncUnderWay, BillingFailures.unavailable],
  })
  beginSync(@CurrentActor() actor: Actor) {
    return this.commands.execute(new StartSync(actor));
  }

  @Get('names')
  @AdminOnly()
  @Responds({
    summary: 'What accounts and tenants are called',
    description: 'For ids out of other answers. Those that are not there are left out; in no order, all on one page.',
    data: NameView,
    list: true,
  })
  listNames(@Query() { ids }: NameIds) {
    return this.queries.execute(new ListNames(ids));
  }

  @Get('audit-log')
  @AdminOnly()
  @RecordedView('audit-log', AuditSearch)
  @Responds({
    summary: 'What has happened anywhere',
    description:
      'Newest first. Each filter is named after a field (actor: actorId, target: targetId, …); all that are given must hold.',
    data: AuditEntryView,
    list: true,
  })
  listAuditLog(@Query() query: AuditSearch) {
    return this.queries.execute(new ListAuditLog(EVERY_TENANT, query, query));
  }

  @Get('webhook-events')
  @AdminOnly()
  @Responds({
    summary: 'Events of the payment processor',
    description: 'Those received last first, without their payloads. All filters that are given must hold.',
    data: WebhookEventView,
    list: true,
  })
  listWebhookEvents(@Query() query: WebhookEventSearch) {
    return this.queries.execute(new ListWebhookEvents(query, query));
  }

  @Get('webhook-events/:id')
  @AdminOnly()
  @Responds({
    summary: 'An event of the payment processor, as it was sent',
    data: WebhookEventDetailView,
    failures: [PlatformFailures.notFound],
  })
  getWebhookEvent(@IdParam('id') id: string) {
    return this.queries.execute(new GetWebhookEvent(id));
  }

  @Post('webhook-events/:id/replay')
  @AdminOnly()
  @Responds({
    summary: 'Apply an event once more',
    description:
      'Of one that was applied before, the subscription is read at the processor instead. The answer tells what has become of it.',
    data: WebhookEventDetailView,
    failures: [PlatformFailures.notFound],
  })
  async replayWebhookEvent(@CurrentActor() actor: Actor, @IdParam('id') id: string) {
    const replayed = await this.commands.execute(new ReplayWebhookEvent(id, actor));
    return replayed.ok ? this.queries.execute(new GetWebhookEvent(id)) : replayed;
  }
}
