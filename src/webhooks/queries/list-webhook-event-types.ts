import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { publicEvents } from '../../platform/public-events';
import { ok, type Result } from '../../platform/result';
import type { WebhookEventTypesView } from '../http/views/webhooks.views';

/** Lists the types of public events. */
export class ListWebhookEventTypes extends Query<Result<WebhookEventTypesView>> {}

@QueryHandler(ListWebhookEventTypes)
export class ListWebhookEventTypesHandler implements IQueryHandler<ListWebhookEventTypes> {
  private readonly types = publicEvents().map(({ type, summary, schema, permission }) => ({
    type,
    summary,
    schema: schema.name,
    permission,
  }));

  execute(): Promise<Result<WebhookEventTypesView>> {
    return Promise.resolve(ok({ types: this.types }));
  }
}
