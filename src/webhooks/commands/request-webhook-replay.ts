import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { WebhookEndpointRepository } from '../data/webhook-endpoint.repository';
import { WebhookReplayRequested } from '../webhooks.events';
import { WebhookFailures } from '../webhooks.failures';

/** The events that are sent again, by the time of their deliveries. */
export interface ReplaySpan {
  readonly from: Date;
  readonly to: Date;
  /** Whether only those that failed are sent. */
  readonly onlyFailed: boolean;
}

/**
 * Sends the events of a span to an endpoint again. A job does it, in batches. NOT_FOUND; CONFLICT
 * if the endpoint is disabled.
 */
export class RequestWebhookReplay extends Command<Result<void, 'CONFLICT' | 'NOT_FOUND'>> {
  constructor(
    readonly actor: TenantActor,
    readonly endpointId: string,
    readonly span: ReplaySpan,
  ) {
    super();
  }
}

@CommandHandler(RequestWebhookReplay)
export class RequestWebhookReplayHandler implements ICommandHandler<RequestWebhookReplay> {
  constructor(
    private readonly endpoints: WebhookEndpointRepository,
    private readonly events: DomainEvents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  execute({ actor, endpointId, span: { from, to, onlyFailed } }: RequestWebhookReplay) {
    return this.unitOfWork.inTenant(actor, async () => {
      const endpoint = await this.endpoints.lock(actor.tenantId, endpointId);
      if (!endpoint) return err(PlatformFailures.notFound);
      if (endpoint.isDisabled) return err(WebhookFailures.endpointDisabled);
      const span = { from: from.toISOString(), to: to.toISOString(), onlyFailed };
      await this.events.publish(new WebhookReplayRequested(actor, endpoint, span));
      return ok();
    });
  }
}
