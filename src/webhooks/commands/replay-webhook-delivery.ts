import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { WebhookDeliveryRepository } from '../data/webhook-delivery.repository';
import { WebhookMessageRepository } from '../data/webhook-message.repository';

/** A delivery of an endpoint of the active tenant. */
export interface DeliveryRef {
  readonly endpointId: string;
  readonly deliveryId: string;
}

/** Sends a delivery again, with the same `webhook-id`. NOT_FOUND. */
export class ReplayWebhookDelivery extends Command<Result<void, 'NOT_FOUND'>> {
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
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly messages: WebhookMessageRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute({ actor, ref: { endpointId, deliveryId } }: ReplayWebhookDelivery) {
    return this.unitOfWork.inTenant(actor, async () => {
      const delivery = await this.deliveries.lock(actor.tenantId, deliveryId);
      if (delivery?.endpointId !== endpointId) return err(PlatformFailures.notFound);
      delivery.replay(this.clock.now());
      await this.deliveries.save(delivery);
      await this.messages.announce();
      return ok();
    });
  }
}
