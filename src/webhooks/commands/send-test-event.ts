import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { WebhookDeliveryRepository } from '../data/webhook-delivery.repository';
import { WebhookEndpointRepository } from '../data/webhook-endpoint.repository';
import { WebhookMessageRepository } from '../data/webhook-message.repository';
import { WebhookDelivery } from '../domain/webhook-delivery';
import { WebhookMessage } from '../domain/webhook-message';
import { WebhookFailures } from '../webhooks.failures';

/**
 * Sends an event of the type `webhook.test` to an endpoint, unless it is disabled. NOT_FOUND;
 * CONFLICT if it is not verified.
 */
export class SendTestEvent extends Command<Result<void, 'CONFLICT' | 'NOT_FOUND'>> {
  constructor(
    readonly actor: TenantActor,
    readonly endpointId: string,
  ) {
    super();
  }
}

@CommandHandler(SendTestEvent)
export class SendTestEventHandler implements ICommandHandler<SendTestEvent> {
  constructor(
    private readonly endpoints: WebhookEndpointRepository,
    private readonly messages: WebhookMessageRepository,
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute({ actor, endpointId }: SendTestEvent) {
    return this.unitOfWork.inTenant(actor, async () => {
      const endpoint = await this.endpoints.lock(actor.tenantId, endpointId);
      if (!endpoint) return err(PlatformFailures.notFound);
      if (!endpoint.isVerified) return err(WebhookFailures.notVerified);
      const now = this.clock.now();
      const message = WebhookMessage.test(actor.tenantId, endpointId, now);
      await this.messages.add(message);
      await this.deliveries.addAll([WebhookDelivery.create(message, endpoint, now)]);
      await this.messages.announce();
      return ok();
    });
  }
}
