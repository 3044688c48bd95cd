import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { Job, Jobs } from '../../platform/jobs/jobs';
import { ok, type Result } from '../../platform/result';
import { WebhookDeliveryRepository } from '../data/webhook-delivery.repository';
import { WebhookEndpointRepository } from '../data/webhook-endpoint.repository';

/** Deliveries of one transaction. */
const BATCH = 1000;

/** Removes the deliveries of a deleted endpoint in batches, enqueuing itself, and its row last. */
@Job('remove-webhook-endpoint')
export class RemoveWebhookEndpoint extends Command<Result> {
  constructor(
    readonly tenantId: string,
    readonly endpointId: string,
  ) {
    super();
  }
}

@CommandHandler(RemoveWebhookEndpoint)
export class RemoveWebhookEndpointHandler implements ICommandHandler<RemoveWebhookEndpoint> {
  constructor(
    private readonly endpoints: WebhookEndpointRepository,
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async execute({ tenantId, endpointId }: RemoveWebhookEndpoint): Promise<Result> {
    await this.unitOfWork.inTenant({ tenantId }, async () => {
      const count = await this.deliveries.removeOfDeleted(tenantId, endpointId, BATCH);
      if (count === BATCH) await this.jobs.enqueue(new RemoveWebhookEndpoint(tenantId, endpointId));
      else await this.endpoints.removeDeleted(tenantId, endpointId);
      return ok();
    }); // a tenant that was deleted meanwhile is removed by its own job
    return ok();
  }
}
