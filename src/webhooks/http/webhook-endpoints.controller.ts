import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Fresh, RequirePermission } from '../../http/access/access.decorators';
import { CurrentTenantActor, type TenantActor } from '../../http/access/actor';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { OptionalFlag } from '../../http/validation/flag-field.decorators';
import { IdParam } from '../../http/validation/id-param.decorator';
import { IntegerField, OptionalIntegerField } from '../../http/validation/number-field.decorators';
import { NullableField } from '../../http/validation/optional.decorators';
import { PageQuery } from '../../http/validation/page-query';
import { OptionalTextField, TextField } from '../../http/validation/text-field.decorators';
import { PlatformFailures } from '../../platform/platform.failures';
import { TenantFailures } from '../../tenants/tenants.api';
import { ChangeWebhookEndpoint } from '../commands/change-webhook-endpoint';
import { CreateWebhookEndpoint } from '../commands/create-webhook-endpoint';
import { DeleteWebhookEndpoint } from '../commands/delete-webhook-endpoint';
import { RotateWebhookSecret } from '../commands/rotate-webhook-secret';
import { SendTestEvent } from '../commands/send-test-event';
import { VerifyWebhookEndpoint } from '../commands/verify-webhook-endpoint';
import { MOST_PER_SECOND } from '../domain/webhook-endpoint';
import { GetWebhookEndpoint } from '../queries/get-webhook-endpoint';
import { ListWebhookEndpoints } from '../queries/list-webhook-endpoints';
import { WebhookFailures } from '../webhooks.failures';
import { SendsWebhooks } from './sends-webhooks.decorator';
import { WebhookEndpointView, WebhookEndpointWithSecretView } from './views/webhooks.views';
import { EventTypesField } from './webhook-fields.decorators';

const ADDRESS = [10, 2000, 'https://example.com/hooks'] as const;
const DESCRIPTION = [0, 200, 'Data warehouse'] as const;
/** Hours for which old keys stay in force, at most and by default. */
const MOST_OVERLAP = 168;
const DEFAULT_OVERLAP = 24;

class CreateWebhookEndpointBody {
  @TextField(...ADDRESS) url!: string;
  @OptionalTextField(...DESCRIPTION) description?: string;
  @NullableField(EventTypesField()) types?: string[] | null;
  @NullableField(IntegerField(1, MOST_PER_SECOND, 10)) perSecond?: number | null;
}

class ChangeWebhookEndpointBody {
  @OptionalTextField(...ADDRESS) url?: string;
  @OptionalTextField(...DESCRIPTION) description?: string;
  @NullableField(EventTypesField()) types?: string[] | null;
  @NullableField(IntegerField(1, MOST_PER_SECOND, 10)) perSecond?: number | null;
  @OptionalFlag() enabled?: boolean;
}

class RotateWebhookSecretBody {
  @OptionalIntegerField(0, MOST_OVERLAP, DEFAULT_OVERLAP) overlapHours?: number;
}

/** The webhook endpoints of the active tenant. */
@ApiTags('webhook-endpoints')
@Controller('tenants/current/webhooks')
@RequirePermission('tenant.webhooks.manage')
export class WebhookEndpointsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Responds({ summary: 'List webhook endpoints', data: WebhookEndpointView, list: true })
  listWebhookEndpoints(@CurrentTenantActor() actor: TenantActor, @Query() page: PageQuery) {
    return this.queries.execute(new ListWebhookEndpoints(actor, page));
  }

  @Post()
  @Fresh()
  @SendsWebhooks()
  @Responds({
    summary: 'Create a webhook endpoint',
    description:
      'A tenant can have 10 endpoints. The secret is shown only once. Without `types`, all events are sent. ' +
      'Nothing but `webhook.verification` is sent before the receiver has answered it with its challenge.',
    data: WebhookEndpointWithSecretView,
    failures: [
      PlatformFailures.notFound,
      WebhookFailures.urlNotAllowed,
      WebhookFailures.tooManyEndpoints,
      TenantFailures.permissionNotHeld,
      WebhookFailures.disabledByOperator,
    ],
  })
  createWebhookEndpoint(@CurrentTenantActor() actor: TenantActor, @Body() body: CreateWebhookEndpointBody) {
    const { url, description = '', types = null, perSecond = null } = body;
    return this.commands.execute(new CreateWebhookEndpoint(actor, { url, description, types, perSecond }));
  }

  @Get(':id')
  @Responds({ summary: 'Get a webhook endpoint', data: WebhookEndpointView, failures: [PlatformFailures.notFound] })
  getWebhookEndpoint(@CurrentTenantActor() actor: TenantActor, @IdParam('id') id: string) {
    return this.queries.execute(new GetWebhookEndpoint(actor, id));
  }

  @Patch(':id')
  @Fresh()
  @Responds({
    summary: 'Update a webhook endpoint',
    description:
      'Omitted fields stay unchanged. `types: null` selects all events, `perSecond: null` removes the limit. ' +
      '`enabled: true` enables a disabled endpoint; CONFLICT if an operator disabled it.',
    data: WebhookEndpointView,
    failures: [
      PlatformFailures.notFound,
      WebhookFailures.urlNotAllowed,
      TenantFailures.permissionNotHeld,
      WebhookFailures.disabledByOperator,
    ],
  })
  changeWebhookEndpoint(
    @CurrentTenantActor() actor: TenantActor,
    @IdParam('id') id: string,
    @Body() body: ChangeWebhookEndpointBody,
  ) {
    return this.commands.execute(new ChangeWebhookEndpoint(actor, id, body));
  }

  @Delete(':id')
  @Fresh()
  @Responds({
    summary: 'Delete a webhook endpoint',
    data: null,
    failures: [PlatformFailures.notFound, WebhookFailures.disabledByOperator],
  })
  deleteWebhookEndpoint(@CurrentTenantActor() actor: TenantActor, @IdParam('id') id: string) {
    return this.commands.execute(new DeleteWebhookEndpoint(actor, id));
  }

  @Post(':id/rotate-secret')
  @Fresh()
  @Responds({
    summary: 'Replace the secret of a webhook endpoint',
    description:
      'For `overlapHours` (default 24), messages are also signed with the old keys. CONFLICT until then; ' +
      '`overlapHours: 0` ends all earlier keys at once.',
    data: WebhookEndpointWithSecretView,
    failures: [PlatformFailures.notFound, WebhookFailures.secretReplaced],
  })
  rotateWebhookSecret(
    @CurrentTenantActor() actor: TenantActor,
    @IdParam('id') id: string,
    @Body() { overlapHours = DEFAULT_OVERLAP }: RotateWebhookSecretBody,
  ) {
    return this.commands.execute(new RotateWebhookSecret(actor, id, overlapHours));
  }

  @Post(':id/verify')
  @SendsWebhooks()
  @Responds({
    summary: 'Send the challenge of a webhook endpoint again',
    description:
      'Sends `webhook.verification` at once, or a minute after the last one; later if other challenges wait for ' +
      'a host that has never answered one. Changes nothing for an endpoint that is verified.',
    data: null,
    failures: [PlatformFailures.notFound, WebhookFailures.endpointDisabled],
  })
  verifyWebhookEndpoint(@CurrentTenantActor() actor: TenantActor, @IdParam('id') id: string) {
    return this.commands.execute(new VerifyWebhookEndpoint(actor, id));
  }

  @Post(':id/test')
  @SendsWebhooks()
  @Responds({
    summary: 'Send a test event',
    description: 'Sends an event of the type `webhook.test`, even if the endpoint does not receive this type.',
    data: null,
    failures: [PlatformFailures.notFound, WebhookFailures.notVerified],
  })
  sendTestEvent(@CurrentTenantActor() actor: TenantActor, @IdParam('id') id: string) {
    return this.commands.execute(new SendTestEvent(actor, id));
  }
}
