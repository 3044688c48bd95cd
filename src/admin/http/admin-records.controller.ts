import { Controller, Get, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { AuditEntryView, ListAuditLog } from '../../audit/audit.api';
import { StartSync, BillingFailures, ReplayWebhookEvent } from '../../billing/billing.api';
import { AdminOnly } from '../../http/access/access.decorators';
import { StoresAnswer } from '../../http/idempotency/answer-storage.decorator';
import { CurrentActor, type Actor } from '../../http/access/actor';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { IdParam } from '../../http/validation/id-param.decorator';
import { PlatformFailures } from '../../platform/platform.failures';
import { EVERY_TENANT } from '../../platform/database/tenant-scope';
import { NameView } from './views/name.views';
import { OverviewView } from './views/overview.views';
import { WebhookEventDetailView, WebhookEventView } from './views/webhook-event.views';
import { GetOverview } from '../queries/get-overview';
import { GetTrends } from '../queries/get-trends';
import { GetWebhookEvent } from '../queries/get-webhook-event';
import { ListNames } from '../queries/list-names';
import { ListWebhookEvents } from '../queries/list-webhook-events';
import { TrendsView } from './views/trends.views';
import { ListNamesParams } from './list-names.params';
import { AuditSearch, WebhookEventSearch } from './list-searches.params';
import { RecordedView } from './recorded-view.interceptor';

/** Statistics, the audit log and webhook events, for operators. */
@ApiTags('admin')
@Controller('admin')
@AdminOnly()
export class AdminRecordsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get('overview')
  @Responds({
    summary: 'Get statistics',
    description: 'Current counts, the last sync and the security posture.',
    data: OverviewView,
  })
  getOverview() {
    return this.queries.execute(new GetOverview());
  }

  @Get('trends')
  @Responds({
    summary: 'Get trends',
    description: 'Registrations by day, webhook lag by hour and the last sync runs. Times are in UTC.',
    data: TrendsView,
  })
  getTrends() {
    return this.queries.execute(new GetTrends());
  }

  @Post('sync')
  @Responds({
    summary: 'Start a sync',
    description:
      'Compares all subscriptions with Stripe, as the sync every two hours does. ' +
      'Resumes an interrupted run. CONFLICT while a run is in progress.',
    data: null,
    failures: [BillingFailures.syncInProgress, BillingFailures.unavailable],
  })
  beginSync(@CurrentActor() actor: Actor) {
    return this.commands.execute(new StartSync(actor));
  }

  @Get('names')
  @Responds({
    summary: 'Resolve names',
    description: 'Names of users and tenants by id, unordered, on one page. Unknown ids are omitted.',
    data: NameView,
    list: true,
  })
  listNames(@Query() { ids }: ListNamesParams) {
    return this.queries.execute(new ListNames(ids));
  }

  @Get('audit-log')
  @RecordedView('audit-log', AuditSearch)
  @Responds({
    summary: 'List audit log entries of all tenants',
    description:
      'Newest first. Filters are named after fields (actor: actorId, target: targetId, …) and combined with AND.',
    data: AuditEntryView,
    list: true,
  })
  listAuditLog(@Query() query: AuditSearch) {
    return this.queries.execute(new ListAuditLog(EVERY_TENANT, query, query));
  }

  @Get('webhook-events')
  @Responds({
    summary: 'List webhook events',
    description: 'Events from Stripe, newest first, without their payloads. Filters are combined with AND.',
    data: WebhookEventView,
    list: true,
  })
  listWebhookEvents(@Query() query: WebhookEventSearch) {
    return this.queries.execute(new ListWebhookEvents(query, query));
  }

  @Get('webhook-events/:id')
  @Responds({
    summary: 'Get a webhook event',
    data: WebhookEventDetailView,
    failures: [PlatformFailures.notFound],
  })
  getWebhookEvent(@IdParam('id') id: string) {
    return this.queries.execute(new GetWebhookEvent(id));
  }

  @Post('webhook-events/:id/replay')
  @StoresAnswer('afterwards')
  @Responds({
    summary: 'Replay a webhook event',
    description:
      'Applies the event again. If it was applied before, the subscription is read from Stripe instead. ' +
      'Returns the new status.',
    data: WebhookEventDetailView,
    failures: [PlatformFailures.notFound],
  })
  async replayWebhookEvent(@CurrentActor() actor: Actor, @IdParam('id') id: string) {
    const replayed = await this.commands.execute(new ReplayWebhookEvent(id, actor));
    return replayed.ok ? this.queries.execute(new GetWebhookEvent(id)) : replayed;
  }
}
