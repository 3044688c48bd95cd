import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Raw } from 'typeorm';
import { EntityReader } from '../../platform/database/entity-reader';
import { EVERY_TENANT } from '../../platform/database/tenant-scope';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { WebhookDelivery, WebhookEndpoint } from '../../webhooks/webhooks.api';
import { WEBHOOK_ENDPOINT_COLUMNS } from '../data/webhook-endpoint.columns';
import type { AdminWebhookEndpointDetailView } from '../http/views/webhook-endpoint.views';
import { hostOnly } from '../services/receiver-filter';

/** Gets a webhook endpoint of any tenant, with the number of its waiting deliveries. NOT_FOUND. */
export class GetAnyWebhookEndpoint extends Query<Result<AdminWebhookEndpointDetailView, 'NOT_FOUND'>> {
  constructor(readonly id: string) {
    super();
  }
}

@QueryHandler(GetAnyWebhookEndpoint)
export class GetAnyWebhookEndpointHandler implements IQueryHandler<GetAnyWebhookEndpoint> {
  constructor(private readonly reader: EntityReader) {}

  /** Reads the primary, because it may have been changed just before. */
  async execute({ id }: GetAnyWebhookEndpoint) {
    const scope = EVERY_TENANT;
    const where = { id, isDeleted: false };
    const endpoint = await this.reader.findOne(WebhookEndpoint, {
      scope,
      isFresh: true,
      select: WEBHOOK_ENDPOINT_COLUMNS,
      where,
    });
    if (!endpoint) return err(PlatformFailures.notFound);
    // as a constant, so that the index of due deliveries serves every plan
    const due = { tenantId: endpoint.tenantId, endpointId: id, state: Raw((column) => `${column} = 'due'`) };
    const waiting = await this.reader.count(WebhookDelivery, { scope, isFresh: true, where: due });
    return ok({ ...hostOnly(endpoint), waiting });
  }
}
