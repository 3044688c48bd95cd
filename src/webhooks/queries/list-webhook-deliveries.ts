import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { EntityReader } from '../../platform/database/entity-reader';
import type { Page, PageRequest } from '../../platform/pagination';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { DELIVERY_COLUMNS } from '../data/webhooks.columns';
import { WebhookDelivery, type DeliveryState } from '../domain/webhook-delivery';
import { WebhookEndpoint } from '../domain/webhook-endpoint';
import type { WebhookDeliveryView } from '../http/views/webhooks.views';

/** Lists the deliveries to an endpoint, newest first. NOT_FOUND. */
export class ListWebhookDeliveries extends Query<Result<Page<WebhookDeliveryView>, 'NOT_FOUND'>> {
  constructor(
    readonly actor: TenantActor,
    readonly endpointId: string,
    readonly page: PageRequest & { readonly state?: DeliveryState },
  ) {
    super();
  }
}

@QueryHandler(ListWebhookDeliveries)
export class ListWebhookDeliveriesHandler implements IQueryHandler<ListWebhookDeliveries> {
  constructor(private readonly reader: EntityReader) {}

  async execute({ actor, endpointId, page }: ListWebhookDeliveries) {
    const { tenantId } = actor;
    const where = { tenantId, endpointId, ...(page.state ? { state: page.state } : {}) };
    const [count, found] = await Promise.all([
      this.reader.count(WebhookEndpoint, { scope: actor, where: { tenantId, id: endpointId, isDeleted: false } }),
      this.reader.findPage(WebhookDelivery, { scope: actor, select: DELIVERY_COLUMNS, where }, page),
    ]);
    return count > 0 ? ok(found) : err(PlatformFailures.notFound);
  }
}
