import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { TenantActor } from '../../http/access/actor';
import { addSeconds, DAY } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { DomainEvents } from '../../platform/domain-events';
import { Jobs } from '../../platform/jobs/jobs';
import { invalid, PlatformFailures } from '../../platform/platform.failures';
import { err, ok, type Result } from '../../platform/result';
import { WebhookEndpointRepository } from '../data/webhook-endpoint.repository';
import { WebhookReplayRequested } from '../webhooks.events';
import { WebhookFailures } from '../webhooks.failures';

/** Seconds of the longest span; messages are kept for as long. */
const LONGEST_SECONDS = 30 * DAY;
const WRONG_SPAN = invalid({ to: ['must be after from, by at most 30 days'] });

/** The events that are sent again, by the time of their deliveries. */
export interface ReplaySpan {
  readonly from: Date;
  readonly to: Date;
  /** Whether only those that failed are sent. */
  readonly onlyFailed: boolean;
}

/**
 * Sends the events of a span of at most 30 days to an endpoint again. A job does it, in batches.
 * VALIDATION_ERROR for another span, NOT_FOUND, CONFLICT if the endpoint is disabled or not
 * verified, or the job of an earlier request is not done.
 */
export class RequestWebhookReplay extends Command<Result<void, 'CONFLICT' | 'NOT_FOUND' | 'VALIDATION_ERROR'>> {
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
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async execute({ actor, endpointId, span: { from, to, onlyFailed } }: RequestWebhookReplay) {
    if (to <= from || to > addSeconds(from, LONGEST_SECONDS)) return err(WRONG_SPAN);
    return this.unitOfWork.inTenant(actor, async () => {
      const endpoint = await this.endpoints.lock(actor.tenantId, endpointId);
      if (!endpoint) return err(PlatformFailures.notFound);
      if (endpoint.isDisabled) return err(WebhookFailures.endpointDisabled);
      if (!endpoint.isVerified) return err(WebhookFailures.notVerified);
      if (await this.jobs.isInProgress(endpoint.replayKey)) return err(WebhookFailures.replayRunning);
      const span = { from: from.toISOString(), to: to.toISOString(), onlyFailed };
      await this.events.publish(new WebhookReplayRequested(actor, endpoint, span));
      return ok();
    });
  }
}
