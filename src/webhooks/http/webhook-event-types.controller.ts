import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { SignedIn } from '../../http/access/access.decorators';
import { Responds } from '../../http/openapi/openapi-responses.decorator';
import { ListWebhookEventTypes } from '../queries/list-webhook-event-types';
import { WebhookEventTypesView } from './views/webhooks.views';

/** The catalogue of public events. */
@ApiTags('webhook-endpoints')
@Controller('webhook-event-types')
@SignedIn()
export class WebhookEventTypesController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Responds({
    summary: 'List the types of webhook events',
    description: 'The events that an endpoint can receive, with the schema of the data of each.',
    data: WebhookEventTypesView,
  })
  listWebhookEventTypes() {
    return this.queries.execute(new ListWebhookEventTypes());
  }
}
