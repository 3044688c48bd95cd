import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { WebhookEndpointRepository } from '../data/webhook-endpoint.repository';
import { EndpointChallenge } from '../services/endpoint-challenge';
import { WebhookFailures } from '../webhooks.failures';

/**
 * Sends the challenge of an endpoint again, a minute after the last one. Nothing happens if it is
 * verified, or a challenge waits. NOT_FOUND, CONFLICT if the endpoint is disabled.
 */
export class VerifyWebhookEndpoint extends Command<Result<void, 'CONFLICT' | 'NOT_FOUND'>> {
  constructor(
    readonly actor: TenantActor,
    readonly endpointId: string,
  ) {
    super();
  }
}

@CommandHandler(VerifyWebhookEndpoint)
export class VerifyWebhookEndpointHandler implements ICommandHandler<VerifyWebhookEndpoint> {
  constructor(
    private readonly endpoints: WebhookEndpointRepository,
    private readonly challenge: EndpointChallenge,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ actor, endpointId }: VerifyWebhookEndpoint) {
    return this.unitOfWork.inTenant(actor, async () => {
      const endpoint = await this.endpoints.lock(actor.tenantId, endpointId);
      if (!endpoint) return err(PlatformFailures.notFound);
      if (endpoint.isDisabled) return err(WebhookFailures.endpointDisabled);
      if (!endpoint.isVerified) await this.challenge.send(endpoint);
      return ok();
    });
  }
}
