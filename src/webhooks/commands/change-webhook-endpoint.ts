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
import { EndpointChallenge } from '../services/endpoint-challenge';
import { ReceiverGrants } from '../services/receiver-grants';
import { WebhookEndpointChanged } from '../webhooks.events';
import { WebhookFailures } from '../webhooks.failures';

/**
 * Changes an endpoint. At another address it has to be verified again. What becomes due while it is
 * disabled is given up, and can be replayed.
 *
 * Who may read its events and gives an address or types answers for them from then on. NOT_FOUND,
 * WEBHOOK_URL_NOT_ALLOWED; PERMISSION_NOT_HELD to change where it sends what for events that the
 * actor may not read; CONFLICT to enable or move one that an operator disabled, or to move one to
 * its host.
 */
export class ChangeWebhookEndpoint extends Command<
  Result<WebhookEndpointView, 'CONFLICT' | 'NOT_FOUND' | 'PERMISSION_NOT_HELD' | 'WEBHOOK_URL_NOT_ALLOWED'>
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
    private readonly grants: ReceiverGrants,
    private readonly challenge: EndpointChallenge,
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
        const held = isRedirection(changes) ? await this.grants.heldBy(actor) : undefined;
        const endpoint = await this.endpoints.lock(actor.tenantId, endpointId);
        if (!endpoint) return err(PlatformFailures.notFound);
        if (await this.endpoints.isRefused(endpoint, changes)) return err(WebhookFailures.disabledByOperator);
        const granted = held && this.grants.allow(held, changes.types === undefined ? endpoint.types : changes.types);
        if (granted?.ok) endpoint.grant(actor.userId);
        else if (granted && endpoint.isRedirectedBy(changes)) return granted;
        const { url } = endpoint;
        endpoint.change(changes, this.clock.now());
        await this.endpoints.saveTypes(endpoint);
        const isAsked = endpoint.url !== url || changes.enabled === true;
        if (isAsked && !endpoint.isVerified && !endpoint.isDisabled) await this.challenge.send(endpoint);
        await this.events.publish(new WebhookEndpointChanged(actor, endpoint, endpoint.url !== url));
        return ok(endpointSummary(endpoint));
      },
      'serial',
    );
  }
}

/** Whether a request says where the endpoint sends what. */
const isRedirection = ({ url, types }: EndpointChanges) => url !== undefined || types !== undefined;
