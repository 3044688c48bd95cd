import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { AuditEntryView, ListAuditLog } from '../../audit/audit.contract';
import { WEBHOOK_EVENT_STATUSES, type WebhookEventStatus } from '../../billing/billing.contract';
import { AdminOnly } from '../../edge/access';
import { OptionalChoiceParameter, OptionalIdField, OptionalMomentParameter, OptionalTextField } from '../../edge/fields';
import { Answers } from '../../edge/openapi-answers';
import { PageQuery } from '../../edge/page';
import { EVERY_TENANT } from '../../platform/tenant-scope';
import { OverviewView, WebhookEventView } from '../admin.views';
import { GetOverview } from '../queries/get-overview';
import { ListWebhookEvents } from '../queries/list-webhook-events';

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
}

/** What has happened, and how things are, for operators. */
@ApiTags('admin')
@Controller('admin')
export class AdminRecordsController {
  constructor(private readonly queries: QueryBus) {}

  @Get('overview')
  @AdminOnly()
  @Answers({ summary: 'How things are, in numbers', data: OverviewView })
  getOverview() {
    return this.queries.execute(new GetOverview());
  }

  @Get('audit-log')
  @AdminOnly()
  @Answers({
    summary: 'What has happened anywhere',
    description: 'Newest first. Each filter is named after a field (actor: actorId, target: targetId, …); all that are given must hold.',
    data: AuditEntryView,
    list: true,
  })
  listAuditLog(@Query() query: AuditSearch) {
    return this.queries.execute(new ListAuditLog(EVERY_TENANT, query, query));
  }

  @Get('webhook-events')
  @AdminOnly()
  @Answers({ summary: 'Events of the payment processor', description: 'Those received last first.', data: WebhookEventView, list: true })
  listWebhookEvents(@Query() query: WebhookEventSearch) {
    return this.queries.execute(new ListWebhookEvents(query.status, query));
  }
}
