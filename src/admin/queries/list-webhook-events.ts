import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { WebhookEventStatus } from '../../billing/billing.api';
import { idOf, pageOf, type Page, type PageQuery } from '../../http/validation/pagination';
import { Database } from '../../platform/database/database';
import { ok, type Result } from '../../platform/result';
import { EVERY_TENANT } from '../../platform/database/tenant-scope';
import { WEBHOOK_EVENT_COLUMNS } from '../data/webhook-event.columns';
import type { WebhookEventView } from '../http/views/admin.views';

/** What is asked for; all that is given must hold. */
export interface WebhookEventFilter {
  readonly status?: WebhookEventStatus;
  /** The whole of it. */
  readonly type?: string;
  /** The tenant's id. */
  readonly tenant?: string;
}

/** Events of the processor, those received last first. */
export class ListWebhookEvents extends Query<Result<Page<WebhookEventView>>> {
  constructor(
    readonly filter: WebhookEventFilter,
    readonly page: PageQuery,
  ) {
    super();
  }
}

@QueryHandler(ListWebhookEvents)
export class ListWebhookEventsHandler implements IQueryHandler<ListWebhookEvents> {
  constructor(private readonly database: Database) {}

  async execute({
    filter: { status, type, tenant },
    page,
  }: ListWebhookEvents): Promise<Result<Page<WebhookEventView>>> {
    const rows = await this.database.readInTenant<WebhookEventView>(
      EVERY_TENANT,
      `SELECT ${WEBHOOK_EVENT_COLUMNS} FROM webhook_events
        WHERE ($1::text IS NULL OR status = $1) AND ($2::text IS NULL OR type = $2)
          AND ($3::uuid IS NULL OR tenant_id = $3)
          AND ($4::uuid IS NULL OR id < $4)
        ORDER BY id DESC LIMIT $5`,
      [status ?? null, type ?? null, tenant ?? null, idOf(page.cursor), page.limit + 1],
    );
    return ok(pageOf(rows, page.limit));
  }
}
