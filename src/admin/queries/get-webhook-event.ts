import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { WebhookEvent } from '../../billing/billing.api';
import { EntityReader } from '../../platform/database/entity-reader';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { EVERY_TENANT } from '../../platform/database/tenant-scope';
import type { WebhookEventDetailView } from '../http/views/webhook-event.views';
import { WEBHOOK_EVENT_COLUMNS } from '../data/webhook-event.columns';

/**
 * Gets a webhook event with its payload. Reads the primary, because it may have been replayed just
 * before. NOT_FOUND.
 */
export class GetWebhookEvent extends Query<Result<WebhookEventDetailView, 'NOT_FOUND'>> {
  constructor(readonly id: string) {
    super();
  }
}

@QueryHandler(GetWebhookEvent)
export class GetWebhookEventHandler implements IQueryHandler<GetWebhookEvent> {
  constructor(private readonly reader: EntityReader) {}

  async execute({ id }: GetWebhookEvent) {
    const event = await this.reader.findOne(WebhookEvent, {
      scope: EVERY_TENANT,
      isFresh: true,
      select: [...WEBHOOK_EVENT_COLUMNS, 'payload'],
      where: { id },
    });
    return event ? ok(event) : err(PlatformFailures.notFound);
  }
}
