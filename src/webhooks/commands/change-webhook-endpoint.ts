import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { WebhookEndpointRepository } from '../data/webhook-endpoint.repository';
import { endpointSummary } from '../data/webhooks.columns';
import type { EndpointChanges } from '../domain/webhook-endpoint';
import type { WebhookEndpointView } from '../http/views/webhooks.views';
import { EndpointAddress } from '../services/endpoint-address';
import { WebhookEndpointChanged } from '../webhooks.events';
import { WebhookFailures } from '../webhooks.failures';

/**
 * Changes an endpoint. What becomes due while it is disabled is given up, and can be replayed.
 * NOT_FOUND, WEBHOOK_URL_NOT_ALLOWED; CONFLICT to enable or move one that an operator
 * disabled, or to move one to its host.
 */
export class ChangeWebhookEndpoint extends Command<
  Result<WebhookEndpointView, 'CONFLICT' | 'NOT_FOUND' | 'WEBHOOK_URL_NOT_ALLOWED'>
> {
  constructor(
    readonly actor: TenantActor,
    readonly endpointId: string,
    readonly changes: EndpointChanges,
  ) {
    super();
  }
}

@CommandHandler(ChangeWebhookEndpoint)
export class ChangeWebhookEndpointHandler implements ICommandHandler<ChangeWebhookEndpoint> {
  constructor(
    private readonly endpoints: WebhookEndpointRepository,
    private readonly address: EndpointAddress,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, endpointId, changes }: ChangeWebhookEndpoint) {
    const allowed = this.address.check(changes.url);
    if (!allowed.ok) return allowed;
    return this.unitOfWork.inTenant(
      actor,
      async () => {
        const endpoint = await this.endpoints.lock(actor.tenantId, endpointId);
        if (!endpoint) return err(PlatformFailures.notFound);
        if (await this.endpoints.isRefused(endpoint, changes)) return err(WebhookFailures.disabledByOperator);
        const { url } = endpoint;
        endpoint.change(changes, this.clock.now());
        await this.endpoints.saveTypes(endpoint);
        await this.events.publish(new WebhookEndpointChanged(actor, endpoint, endpoint.url !== url));
        return ok(endpointSummary(endpoint));
      },
      'serial',
    );
  }
}
