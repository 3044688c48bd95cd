import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { Job, Jobs } from '../../platform/jobs/jobs';
import { ok, type Result } from '../../platform/result';
import { WebhookDeliveryRepository } from '../data/webhook-delivery.repository';
import { WebhookEndpointRepository } from '../data/webhook-endpoint.repository';
import { WebhookMessageRepository } from '../data/webhook-message.repository';

/** Seconds to wait while too many deliveries of the endpoint are due. */
const PAUSE = 60;
/** Deliveries of one transaction. */
const BATCH = 500;

/** The deliveries of an endpoint between two ids. */
interface Span {
  readonly tenantId: string;
  readonly endpointId: string;
  readonly after: string;
  readonly before: string;
  readonly onlyFailed: boolean;
}

/**
 * Makes the deliveries of a span due again, and enqueues itself while there are more. It waits
 * while too many are due, and ends when the endpoint is disabled.
 */
@Job('replay-webhook-deliveries')
export class ReplayWebhookDeliveries extends Command<Result> {
  constructor(readonly span: Span) {
    super();
  }
}

@CommandHandler(ReplayWebhookDeliveries)
export class ReplayWebhookDeliveriesHandler implements ICommandHandler<ReplayWebhookDeliveries> {
  constructor(
    private readonly endpoints: WebhookEndpointRepository,
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly messages: WebhookMessageRepository,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async execute({ span }: ReplayWebhookDeliveries): Promise<Result> {
    await this.unitOfWork.inTenant({ tenantId: span.tenantId }, async () => {
      const endpoint = await this.endpoints.lock(span.tenantId, span.endpointId);
      if (!endpoint?.isVerified || endpoint.isDisabled) return ok();
      if (await this.endpoints.isFull(endpoint)) {
        await this.jobs.enqueue(new ReplayWebhookDeliveries(span), endpoint.replayKey, PAUSE);
        return ok();
      }
      const { last, count } = await this.deliveries.replay(span, BATCH, this.clock.now());
      if (last && count === BATCH)
        await this.jobs.enqueue(new ReplayWebhookDeliveries({ ...span, after: last }), endpoint.replayKey);
      await this.messages.announce();
      return ok();
    }); // a tenant that was deleted meanwhile has no deliveries
    return ok();
  }
}
