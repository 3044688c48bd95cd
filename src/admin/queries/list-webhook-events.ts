import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Any } from 'typeorm';
import { WebhookEvent, type WebhookEventStatus } from '../../billing/billing.api';
import type { Page, PageRequest } from '../../platform/pagination';
import { Database } from '../../platform/database/database';
import { EntityReader, withoutUndefined } from '../../platform/database/entity-reader';
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

@QueryHandler(ListWebhookEvents)
export class ListWebhookEventsHandler implements IQueryHandler<ListWebhookEvents> {
  constructor(
    private readonly database: Database,
    private readonly reader: EntityReader,
  ) {}

  async execute({ filter, page }: ListWebhookEvents): Promise<Result<Page<WebhookEventView>>> {
    const { status, type, tenant } = filter;
    const types = type === undefined ? undefined : Any(await this.typesContaining(type));
    const where = withoutUndefined({ status, type: types, tenantId: tenant });
    const rows = { scope: EVERY_TENANT, select: WEBHOOK_EVENT_COLUMNS, where } as const;
    return ok(await this.reader.findPage(WebhookEvent, rows, page));
  }

  private async typesContaining(part: string): Promise<string[]> {
    const stored = await this.database.readInTenant<{ type: string }>(EVERY_TENANT, TYPES, []);
    return stored.map(({ type }) => type).filter((type) => type.includes(part.toLowerCase()));
  }
}
