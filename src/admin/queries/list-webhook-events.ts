import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { WebhookEventStatus } from '../../billing/billing.api';
import { idOf, pageOf, type Page, type PageRequest } from '../../platform/pagination';
import { Database } from '../../platform/database/database';
import { ok, type Result } from '../../platform/result';
import { EVERY_TENANT } from '../../platform/database/tenant-scope';
import { WEBHOOK_EVENT_COLUMNS } from '../data/webhook-event.columns';
import type { WebhookEventView } from '../http/views/webhook-event.views';

/** Filters, combined with AND. */
export interface WebhookEventFilter {
  readonly status?: WebhookEventStatus;
  /** A part of the type, such as `invoice`. */
  readonly type?: string;
  /** The id of the tenant. */
  readonly tenant?: string;
}

/** Lists webhook events, newest first. */
export class ListWebhookEvents extends Query<Result<Page<WebhookEventView>>> {
  constructor(
    readonly filter: WebhookEventFilter,
    readonly page: PageRequest,
  ) {
    super();
  }
}

/**
 * The types of stored events. Jumps in the index from one type to the next, because there are few
 * types and many events.
 */
const TYPES = `
  WITH RECURSIVE types AS (
    (SELECT type FROM webhook_events ORDER BY type LIMIT 1)
     UNION ALL
    SELECT (SELECT e.type FROM webhook_events e WHERE e.type > t.type ORDER BY e.type LIMIT 1)
      FROM types t WHERE t.type IS NOT NULL
  )
  SELECT type FROM types WHERE type IS NOT NULL`;

const EVENTS = `
  SELECT ${WEBHOOK_EVENT_COLUMNS} FROM webhook_events
   WHERE ($1::text IS NULL OR status = $1) AND ($2::text[] IS NULL OR type = ANY($2))
     AND ($3::uuid IS NULL OR tenant_id = $3) AND ($4::uuid IS NULL OR id < $4)
   ORDER BY id DESC LIMIT $5`;

@QueryHandler(ListWebhookEvents)
export class ListWebhookEventsHandler implements IQueryHandler<ListWebhookEvents> {
  constructor(private readonly database: Database) {}

  async execute({ filter, page }: ListWebhookEvents): Promise<Result<Page<WebhookEventView>>> {
    const { status, type, tenant } = filter;
    const types = type === undefined ? null : await this.typesContaining(type);
    const rows = await this.database.readInTenant<WebhookEventView>(EVERY_TENANT, EVENTS, [
      status ?? null,
      types,
      tenant ?? null,
      idOf(page.cursor),
      page.limit + 1,
    ]);
    return ok(pageOf(rows, page.limit));
  }

  private async typesContaining(part: string): Promise<string[]> {
    const stored = await this.database.readInTenant<{ type: string }>(EVERY_TENANT, TYPES, []);
    return stored.map(({ type }) => type).filter((type) => type.includes(part.toLowerCase()));
  }
}
