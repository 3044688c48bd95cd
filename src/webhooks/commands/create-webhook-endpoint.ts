import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { err, ok, type Result } from '../../platform/result';
import { WebhookEndpointRepository } from '../data/webhook-endpoint.repository';
import { endpointSummary } from '../data/webhooks.columns';
import { MOST_ENDPOINTS, WebhookEndpoint, type EndpointDetails } from '../domain/webhook-endpoint';
import type { WebhookEndpointWithSecretView } from '../http/views/webhooks.views';
import { EndpointAddress } from '../services/endpoint-address';
import { EndpointChallenge } from '../services/endpoint-challenge';
import { EndpointKeys } from '../services/endpoint-keys';
import { ReceiverGrants } from '../services/receiver-grants';
import { WebhookEndpointCreated } from '../webhooks.events';
import { WebhookFailures } from '../webhooks.failures';

/**
 * Adds an endpoint to the active tenant and sends its challenge. WEBHOOK_URL_NOT_ALLOWED,
 * LIMIT_REACHED; PERMISSION_NOT_HELD for events that the actor may not read; CONFLICT at a host at
 * which an operator has disabled an endpoint or an audit stream.
 */
export class CreateWebhookEndpoint extends Command<
  Result<
    WebhookEndpointWithSecretView,
    'CONFLICT' | 'LIMIT_REACHED' | 'NOT_FOUND' | 'PERMISSION_NOT_HELD' | 'WEBHOOK_URL_NOT_ALLOWED'
  >
> {
  constructor(
    readonly actor: TenantActor,
    readonly details: EndpointDetails,
  ) {
    super();
  }
}

@CommandHandler(CreateWebhookEndpoint)
export class CreateWebhookEndpointHandler implements ICommandHandler<CreateWebhookEndpoint> {
  constructor(
    private readonly endpoints: WebhookEndpointRepository,
    private readonly address: EndpointAddress,
    private readonly grants: ReceiverGrants,
    private readonly keys: EndpointKeys,
    private readonly challenge: EndpointChallenge,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, details }: CreateWebhookEndpoint) {
    const allowed = this.address.check(details.url);
    if (!allowed.ok) return allowed;
    return this.unitOfWork.inTenant(
      actor,
      async () => {
        const granted = this.grants.allow(await this.grants.heldBy(actor), details.types);
        if (!granted.ok) return granted;
        const count = await this.endpoints.count(actor.tenantId);
        if (count >= MOST_ENDPOINTS) return err(WebhookFailures.tooManyEndpoints);
        if (await this.endpoints.isStopped(actor.tenantId, details.url)) return err(WebhookFailures.disabledByOperator);
        const endpoint = WebhookEndpoint.create(actor.tenantId, actor.userId, details, this.clock.now());
        const secret = this.keys.renew(endpoint, null);
        await this.endpoints.add(endpoint);
        await this.challenge.send(endpoint);
        await this.events.publish(new WebhookEndpointCreated(actor, endpoint));
        return ok({ ...endpointSummary(endpoint), secret });
      },
      'serial',
    );
  }
}
