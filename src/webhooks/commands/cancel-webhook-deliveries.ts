import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { Job, Jobs } from '../../platform/jobs/jobs';
import { ok, type Result } from '../../platform/result';
import { WebhookDeliveryRepository } from '../data/webhook-delivery.repository';
import { WebhookEndpointRepository } from '../data/webhook-endpoint.repository';

/** Deliveries of one transaction. */
const BATCH = 1000;

/**
 * Records as failed what is due of an endpoint that is disabled or not verified, so that it can be
 * replayed. Enqueues itself while there is more. Nothing happens if the endpoint is enabled and
 * verified again.
 */
@Job('cancel-webhook-deliveries')
export class CancelWebhookDeliveries extends Command<Result> {
  constructor(
    readonly tenantId: string,
    readonly endpointId: string,
  ) {
    super();
  }
}

@CommandHandler(CancelWebhookDeliveries)
export class CancelWebhookDeliveriesHandler implements ICommandHandler<CancelWebhookDeliveries> {
  constructor(
    private readonly endpoints: WebhookEndpointRepository,
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async execute({ tenantId, endpointId }: CancelWebhookDeliveries): Promise<Result> {
    await this.unitOfWork.inTenant({ tenantId }, async () => {
      const endpoint = await this.endpoints.lock(tenantId, endpointId);
      if (!endpoint || (endpoint.isVerified && !endpoint.isDisabled)) return ok();
      const count = await this.deliveries.giveUp(endpoint, BATCH);
      if (count === BATCH) await this.jobs.enqueue(new CancelWebhookDeliveries(tenantId, endpointId));
      return ok();
    }); // a tenant that was deleted meanwhile has no deliveries
    return ok();
  }
}
