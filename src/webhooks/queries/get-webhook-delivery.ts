import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { EntityReader } from '../../platform/database/entity-reader';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { DELIVERY_COLUMNS } from '../data/webhooks.columns';
import { WebhookDelivery } from '../domain/webhook-delivery';
import { WebhookEndpoint } from '../domain/webhook-endpoint';
import { WebhookMessage } from '../domain/webhook-message';
import type { WebhookDeliveryDetailView } from '../http/views/webhooks.views';
import { ReceiverGrants } from '../services/receiver-grants';

/**
 * Gets a delivery with its message and its attempts. NOT_FOUND; PERMISSION_NOT_HELD for an event
 * that the actor may not read.
 */
export class GetWebhookDelivery extends Query<Result<WebhookDeliveryDetailView, 'NOT_FOUND' | 'PERMISSION_NOT_HELD'>> {
  constructor(
    readonly actor: TenantActor,
    readonly endpointId: string,
    readonly deliveryId: string,
  ) {
    super();
  }
}

@QueryHandler(GetWebhookDelivery)
export class GetWebhookDeliveryHandler implements IQueryHandler<GetWebhookDelivery> {
  constructor(
    private readonly reader: EntityReader,
    private readonly grants: ReceiverGrants,
  ) {}

  async execute({ actor, endpointId, deliveryId }: GetWebhookDelivery) {
    const { tenantId } = actor;
    const [count, delivery] = await Promise.all([
      this.reader.count(WebhookEndpoint, { scope: actor, where: { tenantId, id: endpointId, isDeleted: false } }),
      this.reader.findOne(WebhookDelivery, {
        scope: actor,
        select: [...DELIVERY_COLUMNS, 'log'],
        where: { tenantId, endpointId, id: deliveryId },
      }),
    ]);
    if (count === 0 || !delivery) return err(PlatformFailures.notFound);
    const allowed = this.grants.allow(actor.permissions, [delivery.type]);
    if (!allowed.ok) return allowed;
    const where = { tenantId, id: delivery.messageId };
    const message = await this.reader.findOne(WebhookMessage, { scope: actor, select: ['body'], where });
    if (!message) return err(PlatformFailures.notFound); // purged in between
    const { log, ...details } = delivery;
    return ok({ ...details, body: message.body, attempts: log });
  }
}
