import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { EntityReader } from '../../platform/database/entity-reader';
import type { Page, PageRequest } from '../../platform/pagination';
import { ok, type Result } from '../../platform/result';
import { ENDPOINT_COLUMNS } from '../data/webhooks.columns';
import { WebhookEndpoint } from '../domain/webhook-endpoint';
import type { WebhookEndpointView } from '../http/views/webhooks.views';

/** Lists the endpoints of the active tenant, newest first. */
export class ListWebhookEndpoints extends Query<Result<Page<WebhookEndpointView>>> {
  constructor(
    readonly actor: TenantActor,
    readonly page: PageRequest,
  ) {
    super();
  }
}

@QueryHandler(ListWebhookEndpoints)
export class ListWebhookEndpointsHandler implements IQueryHandler<ListWebhookEndpoints> {
  constructor(private readonly reader: EntityReader) {}

  async execute({ actor, page }: ListWebhookEndpoints): Promise<Result<Page<WebhookEndpointView>>> {
    const rows = { scope: actor, select: ENDPOINT_COLUMNS, where: { tenantId: actor.tenantId, isDeleted: false } };
    return ok(await this.reader.findPage(WebhookEndpoint, rows, page));
  }
}
