import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { WebhookEndpointRepository } from '../data/webhook-endpoint.repository';
import { WebhookEndpointDeleted } from '../webhooks.events';
import { WebhookFailures } from '../webhooks.failures';

/**
 * Hides an endpoint at once. A job removes it with its deliveries. NOT_FOUND; CONFLICT if an
 * operator disabled it, which would be forgotten.
 */
export class DeleteWebhookEndpoint extends Command<Result<void, 'CONFLICT' | 'NOT_FOUND'>> {
  constructor(
    readonly actor: TenantActor,
    readonly endpointId: string,
  ) {
    super();
  }
}

@CommandHandler(DeleteWebhookEndpoint)
export class DeleteWebhookEndpointHandler implements ICommandHandler<DeleteWebhookEndpoint> {
  constructor(
    private readonly endpoints: WebhookEndpointRepository,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  execute({ actor, endpointId }: DeleteWebhookEndpoint) {
    return this.unitOfWork.inTenant(
      actor,
      async () => {
        const endpoint = await this.endpoints.lock(actor.tenantId, endpointId);
        if (!endpoint) return err(PlatformFailures.notFound);
        if (endpoint.isStoppedByOperator) return err(WebhookFailures.disabledByOperator);
        endpoint.delete(this.clock.now());
        await this.endpoints.saveTypes(endpoint);
        await this.events.publish(new WebhookEndpointDeleted(actor, endpoint));
        return ok();
      },
      'serial',
    );
  }
}
