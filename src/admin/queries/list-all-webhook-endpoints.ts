import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { EntityReader } from '../../platform/database/entity-reader';
import { EVERY_TENANT } from '../../platform/database/tenant-scope';
import type { Page, PageRequest } from '../../platform/pagination';
import { ok, type Result } from '../../platform/result';
import { WebhookEndpoint } from '../../webhooks/webhooks.api';
import { WEBHOOK_ENDPOINT_COLUMNS } from '../data/webhook-endpoint.columns';
import type { AdminWebhookEndpointView } from '../http/views/webhook-endpoint.views';
import { hostOnly, receiverCondition, type ReceiverFilter } from '../services/receiver-filter';

/** Lists webhook endpoints of all tenants, newest first. */
export class ListAllWebhookEndpoints extends Query<Result<Page<AdminWebhookEndpointView>>> {
  constructor(
    readonly filter: ReceiverFilter,
    readonly page: PageRequest,
  ) {
    super();
  }
}

@QueryHandler(ListAllWebhookEndpoints)
export class ListAllWebhookEndpointsHandler implements IQueryHandler<ListAllWebhookEndpoints> {
  constructor(private readonly reader: EntityReader) {}

  /** Reads the primary, so that an operator sees the effect of a change at once. */
  async execute({ filter, page }: ListAllWebhookEndpoints) {
    const where = { ...receiverCondition(filter), isDeleted: false };
    const rows = { scope: EVERY_TENANT, isFresh: true, select: WEBHOOK_ENDPOINT_COLUMNS, where } as const;
    const { items, nextCursor } = await this.reader.findPage(WebhookEndpoint, rows, page);
    return ok({ items: items.map(hostOnly), nextCursor });
  }
}
