import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Job, type JobRequest } from '../../platform/jobs/jobs';
import { ok, type Result } from '../../platform/result';
import { UnitOfWork } from '../../platform/database/unit-of-work';
import { TenantOwners } from '../../tenants/tenants.api';
import { SubscriptionRepository } from '../data/subscription.repository';
import { ProcessorGateway } from '../processor/processor-gateway';

/** Seconds until the processor is told: several changes that belong together are told once. */
const SOON = 5;

/**
 * Tells the processor the tenant's name and its Owner's address as they are now: receipts and
 * reminders go there.
 */
@Job('describe-customer', 'processor')
export class DescribeCustomer extends Command<Result> {
  constructor(readonly tenantId: string) {
    super();
  }
}

/** The job that does it in a moment; while it waits, there is one per tenant. */
export const describeSoon = (tenantId: string): JobRequest => ({
  command: new DescribeCustomer(tenantId),
  key: `describe-customer:${tenantId}`,
  pause: SOON,
});

@CommandHandler(DescribeCustomer)
export class DescribeCustomerHandler implements ICommandHandler<DescribeCustomer> {
  constructor(
    private readonly subscriptions: SubscriptionRepository,
    private readonly owners: TenantOwners,
    private readonly gateway: ProcessorGateway,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async execute({ tenantId }: DescribeCustomer): Promise<Result> {
    const customerId = (await this.subscriptions.find(tenantId))?.processorCustomerId;
    if (!customerId) return ok();
    const known = await this.unitOfWork.inTenant({ tenantId }, async () =>
      ok((await this.owners.of([tenantId])).get(tenantId)),
    );
    if (!known.ok || !known.value) return ok(); // the tenant was deleted meanwhile
    return this.gateway.describeCustomer(customerId, { name: known.value.tenantName, email: known.value.email });
  }
}
