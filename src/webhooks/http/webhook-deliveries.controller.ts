import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../../http/access/access.decorators';
import { CurrentTenantActor, type TenantActor } from '../../http/access/actor';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { OptionalChoiceField } from '../../http/validation/choice-field.decorators';
import { OptionalFlag } from '../../http/validation/flag-field.decorators';
import { IdParam } from '../../http/validation/id-param.decorator';
import { MomentField } from '../../http/validation/moment-field.decorators';
import { PageQuery } from '../../http/validation/page-query';
import { PlatformFailures } from '../../platform/platform.failures';
import { TenantFailures } from '../../tenants/tenants.api';
import { ReplayWebhookDelivery } from '../commands/replay-webhook-delivery';
import { RequestWebhookReplay } from '../commands/request-webhook-replay';
import { DELIVERY_STATES, type DeliveryState } from '../domain/webhook-delivery';
import { GetWebhookDelivery } from '../queries/get-webhook-delivery';
import { ListWebhookDeliveries } from '../queries/list-webhook-deliveries';
import { WebhookFailures } from '../webhooks.failures';
import { SendsWebhooks } from './sends-webhooks.decorator';
import { WebhookDeliveryDetailView, WebhookDeliveryView } from './views/webhooks.views';

class DeliveriesQuery extends PageQuery {
  @OptionalChoiceField(DELIVERY_STATES) state?: DeliveryState;
}

class ReplayBody {
  @MomentField() from!: Date;
  @MomentField('2026-02-01T09:30:00.000Z') to!: Date;
  @OptionalFlag() onlyFailed?: boolean;
}

/** What was sent to a webhook endpoint of the active tenant, for 30 days. */
@ApiTags('webhook-endpoints')
@Controller('tenants/current/webhooks/:id')
@RequirePermission('tenant.webhooks.manage')
export class WebhookDeliveriesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get('deliveries')
  @Responds({
    summary: 'List deliveries',
    data: WebhookDeliveryView,
    list: true,
    failures: [PlatformFailures.notFound],
  })
  listWebhookDeliveries(
    @CurrentTenantActor() actor: TenantActor,
    @IdParam('id') id: string,
    @Query() query: DeliveriesQuery,
  ) {
    return this.queries.execute(new ListWebhookDeliveries(actor, id, query));
  }

  @Get('deliveries/:deliveryId')
  @Responds({
    summary: 'Get a delivery',
    description: 'Includes the body and the last attempts.',
    data: WebhookDeliveryDetailView,
    failures: [PlatformFailures.notFound, TenantFailures.permissionNotHeld],
  })
  getWebhookDelivery(
    @CurrentTenantActor() actor: TenantActor,
    @IdParam('id') id: string,
    @IdParam('deliveryId') deliveryId: string,
  ) {
    return this.queries.execute(new GetWebhookDelivery(actor, id, deliveryId));
  }

  @Post('deliveries/:deliveryId/replay')
  @SendsWebhooks()
  @Responds({
    summary: 'Send a delivery again',
    description: 'Uses the same `webhook-id`. Changes nothing while the delivery is still due.',
    data: null,
    failures: [PlatformFailures.notFound, WebhookFailures.endpointDisabled, WebhookFailures.notVerified],
  })
  replayWebhookDelivery(
    @CurrentTenantActor() actor: TenantActor,
    @IdParam('id') endpointId: string,
    @IdParam('deliveryId') deliveryId: string,
  ) {
    return this.commands.execute(new ReplayWebhookDelivery(actor, { endpointId, deliveryId }));
  }

  @Post('replay')
  @SendsWebhooks()
  @Responds({
    summary: 'Send the deliveries of a period again',
    description:
      'Includes deliveries that were created while the endpoint was disabled. With `onlyFailed`, delivered ones are ' +
      'skipped. The period is at most 30 days. CONFLICT while another replay is running.',
    data: null,
    failures: [
      PlatformFailures.notFound,
      WebhookFailures.endpointDisabled,
      WebhookFailures.notVerified,
      WebhookFailures.replayRunning,
    ],
  })
  requestWebhookReplay(@CurrentTenantActor() actor: TenantActor, @IdParam('id') id: string, @Body() body: ReplayBody) {
    const { from, to, onlyFailed = false } = body;
    return this.commands.execute(new RequestWebhookReplay(actor, id, { from, to, onlyFailed }));
  }
}
