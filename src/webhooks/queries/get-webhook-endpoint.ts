import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { EntityReader } from '../../platform/database/entity-reader';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { ENDPOINT_COLUMNS } from '../data/webhooks.columns';
import { WebhookEndpoint } from '../domain/webhook-endpoint';
import type { WebhookEndpointView } from '../http/views/webhooks.views';

/** Gets an endpoint of the active tenant. NOT_FOUND. */
export class GetWebhookEndpoint extends Query<Result<WebhookEndpointView, 'NOT_FOUND'>> {
  constructor(
    readonly actor: TenantActor,
    readonly endpointId: string,
  ) {
    super();
  }
}

@QueryHandler(GetWebhookEndpoint)
export class GetWebhookEndpointHandler implements IQueryHandler<GetWebhookEndpoint> {
  constructor(private readonly reader: EntityReader) {}

  async execute({ actor, endpointId }: GetWebhookEndpoint) {
    const where = { tenantId: actor.tenantId, id: endpointId, isDeleted: false };
    const endpoint = await this.reader.findOne(WebhookEndpoint, { scope: actor, select: ENDPOINT_COLUMNS, where });
    return endpoint ? ok(endpoint) : err(PlatformFailures.notFound);
  }
}
