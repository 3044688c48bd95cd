import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import type { Result } from '../../platform/result';
import { WebhookEndpointRepository } from '../data/webhook-endpoint.repository';
import { OperatorChanges } from '../services/operator-changes';
import { WebhookEndpointChanged } from '../webhooks.events';

/**
 * Enables an endpoint of any tenant as an operator, whoever disabled it. Idempotent. NOT_FOUND;
 * FORBIDDEN if the caller's admin flag was revoked after the token was issued.
 */
export class EnableWebhookEndpoint extends Command<Result<void, 'FORBIDDEN' | 'NOT_FOUND'>> {
  constructor(
    readonly actor: Actor,
    readonly endpointId: string,
  ) {
    super();
  }
}

@CommandHandler(EnableWebhookEndpoint)
export class EnableWebhookEndpointHandler implements ICommandHandler<EnableWebhookEndpoint> {
  constructor(
    private readonly changes: OperatorChanges,
    private readonly endpoints: WebhookEndpointRepository,
  ) {}

  execute({ actor, endpointId }: EnableWebhookEndpoint) {
    return this.changes.apply(actor, this.endpoints, endpointId, (endpoint) => {
      if (!endpoint.isDisabled) return undefined;
      endpoint.enable();
      return new WebhookEndpointChanged(actor, endpoint);
    });
  }
}
