import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { WebhookEndpointRepository } from '../data/webhook-endpoint.repository';
import { endpointSummary } from '../data/webhooks.columns';
import type { WebhookEndpointWithSecretView } from '../http/views/webhooks.views';
import { EndpointKeys } from '../services/endpoint-keys';
import { WebhookSecretRotated } from '../webhooks.events';

/**
 * Replaces the secret and the key pair of an endpoint. Meanwhile messages are signed with both.
 * CONFLICT while keys that were replaced before still sign, NOT_FOUND.
 */
export class RotateWebhookSecret extends Command<Result<WebhookEndpointWithSecretView, 'CONFLICT' | 'NOT_FOUND'>> {
  constructor(
    readonly actor: TenantActor,
    readonly endpointId: string,
    /** Hours for which the old keys stay in force. */
    readonly overlapHours: number,
  ) {
    super();
  }
}

@CommandHandler(RotateWebhookSecret)
export class RotateWebhookSecretHandler implements ICommandHandler<RotateWebhookSecret> {
  constructor(
    private readonly endpoints: WebhookEndpointRepository,
    private readonly keys: EndpointKeys,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ actor, endpointId, overlapHours }: RotateWebhookSecret) {
    return this.unitOfWork.inTenant(actor, async () => {
      const endpoint = await this.endpoints.lock(actor.tenantId, endpointId);
      if (!endpoint) return err(PlatformFailures.notFound);
      const secret = this.keys.replace(endpoint, overlapHours);
      if (!secret.ok) return secret;
      await this.endpoints.save(endpoint);
      await this.events.publish(new WebhookSecretRotated(actor, endpoint));
      return ok({ ...endpointSummary(endpoint), secret: secret.value });
    });
  }
}
