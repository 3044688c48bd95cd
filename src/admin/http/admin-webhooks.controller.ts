import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { AdminOnly, LiveSession } from '../../http/access/access.decorators';
import { CurrentActor, type Actor } from '../../http/access/actor';
import { StoresAnswer } from '../../http/idempotency/answer-storage.decorator';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { IdParam } from '../../http/validation/id-param.decorator';
import { OptionalTextField } from '../../http/validation/text-field.decorators';
import { PlatformFailures } from '../../platform/platform.failures';
import { DisableWebhookEndpoint, EnableWebhookEndpoint } from '../../webhooks/webhooks.api';
import { GetAnyWebhookEndpoint } from '../queries/get-any-webhook-endpoint';
import { ListAllWebhookDeliveries } from '../queries/list-all-webhook-deliveries';
import { ListAllWebhookEndpoints } from '../queries/list-all-webhook-endpoints';
import { ReceiverSearch, WebhookDeliverySearch } from './list-searches.params';
import {
  AdminWebhookDeliveryView,
  AdminWebhookEndpointDetailView,
  AdminWebhookEndpointView,
} from './views/webhook-endpoint.views';

class DisableWebhookEndpointBody {
  @OptionalTextField(1, 500, 'Ticket 4713: answers with a flood of errors') reason?: string;
}

/** The webhooks of tenants, for operators: never bodies, secrets or answers. */
@ApiTags('admin')
@Controller('admin')
@AdminOnly()
export class AdminWebhooksController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get('webhook-endpoints')
  @Responds({
    summary: 'List webhook endpoints of all tenants',
    description:
      'Newest first. Failing endpoints still receive messages; `unhealthy` are the failing and the disabled ones.',
    data: AdminWebhookEndpointView,
    list: true,
  })
  listAllWebhookEndpoints(@Query() query: ReceiverSearch) {
    return this.queries.execute(new ListAllWebhookEndpoints(query, query));
  }

  @Get('webhook-endpoints/:id')
  @Responds({
    summary: 'Get a webhook endpoint of any tenant',
    data: AdminWebhookEndpointDetailView,
    failures: [PlatformFailures.notFound],
  })
  getAnyWebhookEndpoint(@IdParam('id') id: string) {
    return this.queries.execute(new GetAnyWebhookEndpoint(id));
  }

  @Post('webhook-endpoints/:id/disable')
  @LiveSession()
  @StoresAnswer('afterwards')
  @ApiBody({ type: DisableWebhookEndpointBody, required: false })
  @Responds({
    summary: 'Disable a webhook endpoint',
    description: 'Members cannot enable it. The Owner is notified, and the audit log of the tenant keeps the reason.',
    data: AdminWebhookEndpointDetailView,
    failures: [PlatformFailures.notFound],
  })
  async disableWebhookEndpoint(
    @CurrentActor() actor: Actor,
    @IdParam('id') id: string,
    @Body() { reason }: DisableWebhookEndpointBody,
  ) {
    const disabled = await this.commands.execute(new DisableWebhookEndpoint(actor, id, reason));
    return disabled.ok ? this.queries.execute(new GetAnyWebhookEndpoint(id)) : disabled;
  }

  @Post('webhook-endpoints/:id/enable')
  @StoresAnswer('afterwards')
  @Responds({
    summary: 'Enable a webhook endpoint',
    description: 'Also if a member or the service disabled it. Members can then replay what was not sent.',
    data: AdminWebhookEndpointDetailView,
    failures: [PlatformFailures.notFound],
  })
  async enableWebhookEndpoint(@CurrentActor() actor: Actor, @IdParam('id') id: string) {
    const enabled = await this.commands.execute(new EnableWebhookEndpoint(actor, id));
    return enabled.ok ? this.queries.execute(new GetAnyWebhookEndpoint(id)) : enabled;
  }

  @Get('webhook-deliveries')
  @Responds({
    summary: 'List webhook deliveries of all tenants',
    description: 'Newest first, with the last attempt, without bodies and responses. Filters are combined with AND.',
    data: AdminWebhookDeliveryView,
    list: true,
  })
  listAllWebhookDeliveries(@Query() query: WebhookDeliverySearch) {
    return this.queries.execute(new ListAllWebhookDeliveries(query, query));
  }
}
