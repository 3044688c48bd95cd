import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { WebhookDeliveryRepository } from '../data/webhook-delivery.repository';
import { WebhookEndpointRepository } from '../data/webhook-endpoint.repository';
import { WebhookMessageRepository } from '../data/webhook-message.repository';
import { WebhookFailures } from '../webhooks.failures';

/** A delivery of an endpoint of the active tenant. */
export interface DeliveryRef {
  readonly endpointId: string;
  readonly deliveryId: string;
}

/**
 * Sends a delivery again, with the same `webhook-id`. NOT_FOUND; CONFLICT if its endpoint is
 * disabled or not verified.
 */
export class ReplayWebhookDelivery extends Command<Result<void, 'CONFLICT' | 'NOT_FOUND'>> {
  constructor(
    readonly actor: TenantActor,
    readonly ref: DeliveryRef,
  ) {
    super();
  }
}

@CommandHandler(ReplayWebhookDelivery)
export class ReplayWebhookDeliveryHandler implements ICommandHandler<ReplayWebhookDelivery> {
  constructor(
    private readonly endpoints: WebhookEndpointRepository,
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly messages: WebhookMessageRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute({ actor, ref: { endpointId, deliveryId } }: ReplayWebhookDelivery) {
    return this.unitOfWork.inTenant(actor, async () => {
      const endpoint = await this.endpoints.lock(actor.tenantId, endpointId);
      const delivery = await this.deliveries.lock(actor.tenantId, deliveryId);
      if (!endpoint || delivery?.endpointId !== endpointId) return err(PlatformFailures.notFound);
      if (endpoint.isDisabled) return err(WebhookFailures.endpointDisabled);
      if (!endpoint.isVerified) return err(WebhookFailures.notVerified);
      delivery.replay(this.clock.now());
      await this.deliveries.save(delivery);
      await this.messages.announce();
      return ok();
    });
  }
}
