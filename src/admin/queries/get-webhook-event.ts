import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Database } from '../../platform/database';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { EVERY_TENANT } from '../../platform/tenant-scope';
import type { WebhookEventView } from '../admin.views';
import { WEBHOOK_EVENTS } from './list-webhook-events';

/** An event of the processor, as it is now: it may just have been applied. NOT_FOUND. */
export class GetWebhookEvent extends Query<Result<WebhookEventView>> {
  constructor(readonly id: string) {
    super();
  }
}

@QueryHandler(GetWebhookEvent)
export class GetWebhookEventHandler implements IQueryHandler<GetWebhookEvent> {
  constructor(private readonly database: Database) {}

  async execute({ id }: GetWebhookEvent): Promise<Result<WebhookEventView>> {
    const [event] = await this.database.queryWithin<WebhookEventView>(EVERY_TENANT, `${WEBHOOK_EVENTS} WHERE id = $1`, [id]);
    return event ? ok(event) : err(PlatformFailures.notFound);
  }
}
