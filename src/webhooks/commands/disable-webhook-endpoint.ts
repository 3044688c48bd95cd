import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../http/access/actor';
import { Clock } from '../../platform/clock';
import type { Result } from '../../platform/result';
import { WebhookEndpointRepository } from '../data/webhook-endpoint.repository';
import { OperatorChanges } from '../services/operator-changes';
import { WebhookEndpointDisabled } from '../webhooks.events';

/**
 * Disables an endpoint of any tenant as an operator; only operators enable it again. Idempotent.
 * What is due is given up, and the Owner is told. NOT_FOUND; FORBIDDEN if the caller's admin flag
 * was revoked after the token was issued.
 */
export class DisableWebhookEndpoint extends Command<Result<void, 'FORBIDDEN' | 'NOT_FOUND'>> {
  constructor(
    readonly actor: Actor,
    readonly endpointId: string,
    /** Why, for the audit log, which members of the tenant can read. */
    readonly reason?: string,
  ) {
    super();
  }
}

@CommandHandler(DisableWebhookEndpoint)
export class DisableWebhookEndpointHandler implements ICommandHandler<DisableWebhookEndpoint> {
  constructor(
    private readonly changes: OperatorChanges,
    private readonly endpoints: WebhookEndpointRepository,
    private readonly clock: Clock,
  ) {}

  execute({ actor, endpointId, reason }: DisableWebhookEndpoint) {
    return this.changes.apply(actor, this.endpoints, endpointId, (endpoint) => {
      if (endpoint.isStoppedByOperator) return undefined;
      endpoint.stopByOperator(this.clock.now());
      return new WebhookEndpointDisabled(endpoint, { by: actor, note: reason });
    });
  }
}
